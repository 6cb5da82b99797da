#include "tools/spindle/hardware/CompileKernel.h"

#include "dialects/rtl/Rtl.h"
#include "hw/hls/lower/BuildKernel.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/KernelFiles.h"
#include "tools/spindle/hardware/ModuleName.h"

#include "mlir/Pass/PassManager.h"

namespace spindle {

using namespace hls;

static llvm::Error reshapeLoops(mlir::ModuleOp program, const std::string &place,
                                const Target &target, const KernelOptions &options) {
  mlir::PassManager passes(program.getContext());
  SPINDLE_RETURN_IF_ERROR(buildLoopPipeline(passes, target, options.loops));
  if (mlir::failed(passes.run(program)))
    return checkError(place, "the loop passes failed");
  return llvm::Error::success();
}

llvm::Expected<CompiledKernel> compileKernel(const KernelSource &source, const Target &target,
                                             const KernelOptions &options) {
  CompiledKernel compiled;
  compiled.options = options;
  compiled.context = makeProgramContext();
  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  compiled.context->appendDialectRegistry(registry);
  compiled.context->loadDialect<HlsDialect, rtl::RtlDialect>();
  SPINDLE_ASSIGN(compiled.program, parseProgram(*compiled.context, source.text, source.path));
  SPINDLE_ASSIGN(mlir::func::FuncOp function,
                 prepare(*compiled.program, {source.top, source.bind}));
  compiled.function = function.getName().str();
  SPINDLE_RETURN_IF_ERROR(reshapeLoops(*compiled.program, source.path, target, options));
  std::set<unsigned> bound;
  for (const auto &[index, values] : source.bind)
    bound.insert(index);
  SPINDLE_ASSIGN(compiled.kernel, buildKernel(function, target, bound));
  SPINDLE_RETURN_IF_ERROR(scheduleKernel(compiled.kernel, target, options.schedule));
  compiled.top =
      moduleNameOf(compiled.function, interfaceOf(compiled.kernel, compiled.function, source.bind));
  compiled.cycles = predictCycles(compiled.kernel);
  return compiled;
}

static std::pair<uint64_t, size_t> costOf(CompiledKernel &compiled) {
  return {compiled.cycles.value_or(UINT64_MAX), llvm::range_size(compiled.kernel.getOps<UnitOp>())};
}

llvm::Expected<CompiledKernel> searchKernel(const KernelSource &source, const Target &target,
                                            const KernelOptions &options, uint64_t most) {
  KernelOptions plain = options;
  plain.loops.unroll = {1};
  SPINDLE_ASSIGN(CompiledKernel best, compileKernel(source, target, plain));
  for (uint64_t unroll = 1; unroll <= most; ++unroll)
    for (bool joins : {true, false}) {
      KernelOptions attempt = options;
      attempt.loops.unroll = {unroll};
      if (!joins)
        attempt.loops.without.insert("fuse");
      SPINDLE_ASSIGN(CompiledKernel compiled, compileKernel(source, target, attempt));
      if (costOf(compiled) >= costOf(best))
        continue;
      best.program = {}; // goes before its context
      best = std::move(compiled);
    }
  return best;
}

} // namespace spindle
