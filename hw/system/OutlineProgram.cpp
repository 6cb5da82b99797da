#include "hw/system/OutlineProgram.h"

#include "dialects/location/Location.h"
#include "dialects/system/Launches.h"
#include "dialects/system/Passes.h"
#include "hw/hls/prepare/Prepare.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace spindle::hls {

/// Runs a step; its first error is the user's, and so are its remarks.
static llvm::Error refusedBy(mlir::ModuleOp module, llvm::function_ref<mlir::LogicalResult()> step,
                             std::vector<std::string> *remarks = nullptr) {
  std::string place, message;
  mlir::ScopedDiagnosticHandler listen(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (remarks && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Remark)
      remarks->push_back(filePlaceOf(diagnostic.getLocation()) + ": remark: " + diagnostic.str());
    if (message.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
      place = filePlaceOf(diagnostic.getLocation());
      message = diagnostic.str();
    }
    return mlir::success();
  });
  if (mlir::succeeded(step()))
    return llvm::Error::success();
  if (message.empty())
    return checkError(filePlaceOf(module.getLoc()), "making a system failed without a reason");
  return inputError(place.empty() ? filePlaceOf(module.getLoc()) : place, message);
}

llvm::Expected<OutlinedProgram> outlineProgram(mlir::ModuleOp program,
                                               const SystemOptions &options) {
  OutlinedProgram made;
  made.module = program.clone();
  mlir::ModuleOp module = *made.module;
  SPINDLE_ASSIGN(made.function, prepare(module, {options.kernels.top, options.kernels.bind}));
  mlir::PassManager passes(module.getContext());
  system::SystemSearchOptions search;
  search.groups = options.groups;
  search.inputs = options.hasInputs;
  passes.addNestedPass<mlir::func::FuncOp>(system::createSystemSearch(search));
  passes.addPass(system::createSystemOutline());
  if (options.hasInputs && options.streamsInputs)
    passes.addPass(system::createSystemStreamInputs());
  system::SystemDispatchOptions dispatch;
  dispatch.kind = options.kind == SystemKind::Centralised ? "centralised" : "dataflow";
  dispatch.share = options.share;
  passes.addPass(system::createSystemDispatch(dispatch));
  auto run = [&]() -> mlir::LogicalResult {
    if (mlir::failed(passes.run(module)))
      return mlir::failure();
    mlir::FailureOr<system::TaskAnalysis> tasks = system::analyzeTasks(made.function, options.kind);
    if (mlir::succeeded(tasks)) {
      made.graph = std::move(tasks->graph);
      made.conflicts = std::move(tasks->conflicts);
      made.startsEmpty = std::move(tasks->startsEmpty);
    }
    return tasks;
  };
  SPINDLE_RETURN_IF_ERROR(refusedBy(module, run, &made.remarks));
  SPINDLE_RETURN_IF_ERROR(verify(made.graph, filePlaceOf(module.getLoc())));
  return made;
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> kernelFunctions(mlir::ModuleOp outlined) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = outlined.clone();
  mlir::PassManager passes(outlined.getContext());
  passes.addPass(system::createConvertSystemToFunc());
  SPINDLE_RETURN_IF_ERROR(refusedBy(*copy, [&] { return passes.run(*copy); }));
  return copy;
}

} // namespace spindle::hls
