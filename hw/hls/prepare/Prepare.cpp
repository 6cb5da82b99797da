#include "hw/hls/prepare/Prepare.h"

#include "hw/hls/prepare/LoopForm.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace spindle::hls {

static LogicalResult simplify(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createInlinerPass());
  passes.addPass(createSCCPPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  return passes.run(module);
}

FailureOr<func::FuncOp> runStages(ModuleOp module, const PrepareOptions &options) {
  FailureOr<func::FuncOp> top = selectTop(module, options.top);
  if (failed(top) || failed(bindArguments(*top, options.bind)) || failed(simplify(module)) ||
      failed(hoistLocalArrays(*top)) || failed(normalizeLoops(*top)) || failed(simplify(module)) ||
      failed(verifyLoopForm(*top)))
    return failure();
  return top;
}

static std::string placeOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  std::string name = file.getFilename().str();
  return file.getLine() == 0 // the module that a file is
             ? name
             : name + ":" + std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
}

llvm::Expected<func::FuncOp> prepare(ModuleOp module, const PrepareOptions &options) {
  std::string place, message;
  ScopedDiagnosticHandler listen(module.getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      place = placeOf(diagnostic.getLocation());
      message = diagnostic.str();
    }
    return success();
  });
  FailureOr<func::FuncOp> top = runStages(module, options);
  if (succeeded(top))
    return *top;
  if (message.empty())
    return checkError(placeOf(module.getLoc()), "preparing the kernel failed without a reason");
  return inputError(place, message);
}

} // namespace spindle::hls
