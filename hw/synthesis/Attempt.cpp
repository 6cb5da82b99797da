#include "hw/synthesis/Attempt.h"

#include "dialects/location/Location.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/lower/kernel/BuildKernel.h"
#include "hw/hls/lower/rtl/KernelModule.h"
#include "hw/hls/lower/rtl/PackMemories.h"
#include "hw/synthesis/DescribeInterface.h"
#include "hw/synthesis/EstimateArea.h"
#include "hw/synthesis/ModuleName.h"
#include "hw/synthesis/SimplifyDesign.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace spindle::hls {

llvm::Expected<mlir::func::FuncOp> reshape(mlir::ModuleOp program, const Target &target,
                                           const SynthesisOptions &options) {
  assert(llvm::hasSingleElement(program.getOps<mlir::func::FuncOp>()));
  mlir::func::FuncOp function = *program.getOps<mlir::func::FuncOp>().begin();
  mlir::PassManager passes(program.getContext());
  SPINDLE_RETURN_IF_ERROR(addLoopPasses(passes, target, options.loops));
  std::string place, message; // of the first error
  mlir::ScopedDiagnosticHandler listen(program.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::failure();
    if (message.empty()) {
      place = filePlaceOf(diagnostic.getLocation());
      message = diagnostic.str();
    }
    return mlir::success();
  });
  if (mlir::succeeded(passes.run(program)))
    return function;
  if (message.empty())
    return checkError(filePlaceOf(program.getLoc()), "the loop passes failed");
  return inputError(place, message);
}

llvm::Expected<Synthesis> attempt(mlir::ModuleOp program, const Target &given,
                                  const SynthesisOptions &options) {
  Target target = withVariants(given, options.variants);
  Synthesis made;
  made.options = options;
  made.program = program.clone();
  SPINDLE_ASSIGN(mlir::func::FuncOp function, reshape(*made.program, target, options));
  std::string name = function.getName().str();
  SPINDLE_ASSIGN(made.kernel, buildKernel(function, target));
  SPINDLE_RETURN_IF_ERROR(scheduleKernel(made.kernel, target, options.schedule));
  made.interface = describeInterface(made.kernel, name, options.bind);
  made.interface.top = moduleNameOf(name, made.interface);
  made.interface.predictedCycles = predictCycles(made.kernel);
  made.interface.isReassociated = options.loops.reassociates;
  return made;
}

llvm::Error addCircuit(Synthesis &made, const Target &target) {
  if (made.design)
    return llvm::Error::success();
  SPINDLE_ASSIGN(made.design, buildKernelModule(made.kernel, made.interface.top));
  SPINDLE_RETURN_IF_ERROR(simplifyDesign(*made.design, placeOf(made.program->getLoc())));
  if (packMemories(*made.design) > 0)
    SPINDLE_RETURN_IF_ERROR(simplifyDesign(*made.design, placeOf(made.program->getLoc())));
  made.interface.estimate = estimateArea(*made.design, target);
  return llvm::Error::success();
}

std::optional<DeviceArea> roomFor(const SynthesisOptions &options, const Target &target) {
  return options.budget ? options.budget : target.capacity;
}

std::vector<std::string> kindsIn(KernelOp kernel) {
  std::vector<std::string> kinds;
  for (UnitOp unit : kernel.getOps<UnitOp>()) {
    std::string kind = unit.getSymName().rsplit('_').first.str();
    if (!llvm::is_contained(kinds, kind))
      kinds.push_back(kind);
  }
  return kinds;
}

} // namespace spindle::hls
