#include "hw/synthesis/Synthesis.h"

#include "dialects/location/Location.h"
#include "dialects/rtl/Rtl.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/lower/kernel/BuildKernel.h"
#include "hw/hls/lower/rtl/KernelModule.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/DescribeInterface.h"
#include "hw/synthesis/EstimateArea.h"
#include "hw/synthesis/ModuleName.h"
#include "hw/synthesis/SimplifyDesign.h"

#include "mlir/Pass/PassManager.h"

namespace spindle::hls {

std::unique_ptr<mlir::MLIRContext> makeSynthesisContext() {
  std::unique_ptr<mlir::MLIRContext> context = makeProgramContext();
  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<HlsDialect, rtl::RtlDialect>();
  return context;
}

uint64_t mostSearched(const UnitLimits &limits) {
  unsigned most = 0;
  for (const auto &[unit, count] : limits)
    most = std::max(most, count);
  return most ? std::min<uint64_t>(most, kMostUnroll) : 8;
}

static llvm::Error reshapeLoops(mlir::ModuleOp program, const Target &target,
                                const LoopOptions &options) {
  mlir::PassManager passes(program.getContext());
  SPINDLE_RETURN_IF_ERROR(addLoopPasses(passes, target, options));
  if (mlir::failed(passes.run(program)))
    return checkError(placeOf(program.getLoc()), "the loop passes failed");
  return llvm::Error::success();
}

/// Everything but the circuit.
static llvm::Expected<Synthesis> schedule(mlir::ModuleOp program, const Target &target,
                                          const SynthesisOptions &options) {
  Synthesis made;
  made.options = options;
  made.program = program.clone();
  SPINDLE_ASSIGN(mlir::func::FuncOp function, prepare(*made.program, {options.top, options.bind}));
  std::string name = function.getName().str();
  SPINDLE_RETURN_IF_ERROR(reshapeLoops(*made.program, target, options.loops));
  SPINDLE_ASSIGN(made.kernel, buildKernel(function, target));
  SPINDLE_RETURN_IF_ERROR(scheduleKernel(made.kernel, target, options.schedule));
  made.interface = describeInterface(made.kernel, name, options.bind);
  made.interface.top = moduleNameOf(name, made.interface);
  made.interface.predictedCycles = predictCycles(made.kernel);
  made.interface.isReassociated = options.loops.reassociates;
  return made;
}

static std::pair<uint64_t, size_t> costOf(Synthesis &made) {
  return {made.interface.predictedCycles.value_or(UINT64_MAX),
          llvm::range_size(made.kernel.getOps<UnitOp>())};
}

static llvm::Expected<Synthesis> search(mlir::ModuleOp program, const Target &target,
                                        const SynthesisOptions &options) {
  SynthesisOptions plain = options;
  plain.loops.unroll = {1};
  SPINDLE_ASSIGN(Synthesis best, schedule(program, target, plain));
  for (uint64_t unroll = 1; unroll <= mostSearched(options.schedule.units); ++unroll)
    for (bool joins : {true, false}) {
      SynthesisOptions attempt = options;
      attempt.loops.unroll = {unroll};
      if (!joins)
        attempt.loops.without.insert("fuse");
      SPINDLE_ASSIGN(Synthesis made, schedule(program, target, attempt));
      if (costOf(made) < costOf(best))
        best = std::move(made);
    }
  return best;
}

llvm::Expected<Synthesis> synthesize(mlir::ModuleOp program, const Target &target,
                                     const SynthesisOptions &options) {
  SPINDLE_ASSIGN(Synthesis made, options.loops.unroll.empty() ? search(program, target, options)
                                                              : schedule(program, target, options));
  SPINDLE_ASSIGN(made.design, buildKernelModule(made.kernel, made.interface.top));
  std::string place = placeOf(program.getLoc());
  SPINDLE_RETURN_IF_ERROR(simplifyDesign(*made.design, place));
  made.interface.estimate = estimateArea(*made.design, target);
  if (options.budget)
    SPINDLE_RETURN_IF_ERROR(
        checkBudget(*made.interface.estimate, *options.budget, placeOf(made.kernel)));
  return made;
}

} // namespace spindle::hls
