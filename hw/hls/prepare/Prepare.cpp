#include "hw/hls/prepare/Prepare.h"

#include "dialects/affine/EmptyLoops.h"
#include "dialects/affine/Remainders.h"
#include "dialects/location/Location.h"
#include "dialects/upstream/DefinePoison.h"
#include "dialects/upstream/DenseArrays.h"
#include "dialects/upstream/ExactCanonicalizer.h"
#include "dialects/upstream/ForgetPlaces.h"
#include "dialects/upstream/SpellExtents.h"
#include "dialects/upstream/SpellIndices.h"
#include "dialects/upstream/SpellSincos.h"
#include "dialects/upstream/shapes/RefineShapes.h"
#include "dialects/vectors/UnrollVectors.h"
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/control/LoopForm.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace spindle::hls {

/// Constants folded.
static LogicalResult simplify(ModuleOp module) {
  removeEmptyLoops(module);
  PassManager passes(module.getContext());
  passes.addPass(createSCCPPass());
  passes.addPass(createExactCanonicalizer());
  passes.addPass(createCSEPass());
  return passes.run(module);
}

/// Constants carried to where they are used, nothing folded.
static LogicalResult spreadConstants(ModuleOp module) {
  removeEmptyLoops(module);
  PassManager passes(module.getContext());
  passes.addPass(createSCCPPass());
  return passes.run(module);
}

/// Numbers that MLIR would fold away as if they had a meaning.
static LogicalResult checkNumbers(ModuleOp module) {
  return success(succeeded(checkDivisors(module)) && succeeded(checkLoops(module)));
}

/// What concerns the module as a whole: the top function is alone in it afterwards.
static LogicalResult lowerModule(ModuleOp module) {
  return success(succeeded(checkNumbers(module)) && succeeded(lowerControl(module)) &&
                 succeeded(inlineCalls(module)) && succeeded(spreadConstants(module)) &&
                 succeeded(checkNumbers(module)) && succeeded(simplify(module)) &&
                 succeeded(checkNumbers(module)) && succeeded(refineShapes(module)) &&
                 succeeded(lowerTensors(module)) && succeeded(lowerLinalg(module)) &&
                 succeeded(simplify(module)));
}

/// Stages make operations that the input need not have.
static void loadDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerKernelDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : {"affine", "arith", "bufferization", "linalg", "math", "memref", "scf"})
    context->getOrLoadDialect(name);
}

FailureOr<func::FuncOp> runStages(ModuleOp module, const PrepareOptions &options) {
  forgetPlaces(module);
  spellRemainders(module);
  definePoison(module);
  spellIndices(module);
  spellExtents(module);
  spellSincos(module);
  FailureOr<func::FuncOp> top = selectTop(module, options.top);
  if (failed(top))
    return failure();
  exchangeDenseArrays(*top);
  if (failed(vectors::unrollVectors(module, top->getName())) || failed(checkInput(module, *top)) ||
      failed(declareArrays(module, *top)) || failed(bindArguments(*top, options.bind)) ||
      failed(lowerModule(module)) || failed(checkNumbers(module)) || failed(expandProducts(*top)) ||
      failed(checkFactorsKnown(*top)))
    return failure();
  for (auto stage : {serializeLoops, expandMath, raiseLoops, raiseConditions, foldAliases,
                     normalizeLoops, expandProducts, raiseAccesses, inferExtents})
    if (failed(stage(*top)))
      return failure();
  if (failed(simplify(module)))
    return failure();
  for (auto stage : {hoistLocalArrays, lowerOpenLoops, sinkConditions, settleIndices})
    if (failed(stage(*top)))
      return failure();
  if (failed(simplify(module)) || failed(widenIndices(*top)) || failed(simplify(module)) ||
      failed(divideByShifts(*top)) || failed(verifyLoopForm(*top)) || failed(checkAccesses(*top)))
    return failure();
  return top;
}

llvm::Expected<func::FuncOp> prepare(ModuleOp module, const PrepareOptions &options) {
  loadDialects(module.getContext());
  std::string place, message;
  ScopedDiagnosticHandler listen(module.getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      place = filePlaceOf(diagnostic.getLocation());
      message = diagnostic.str();
    }
    return success();
  });
  FailureOr<func::FuncOp> top = runStages(module, options);
  if (succeeded(top)) {
    assert(llvm::hasSingleElement(module.getOps<func::FuncOp>()));
    return *top;
  }
  if (place.empty())
    place = filePlaceOf(module.getLoc());
  if (message.empty())
    return checkError(filePlaceOf(module.getLoc()), "preparing the kernel failed without a reason");
  return inputError(place, message);
}

} // namespace spindle::hls
