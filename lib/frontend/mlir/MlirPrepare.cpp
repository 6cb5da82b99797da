#include "lib/frontend/mlir/MlirModel.h"

#include "fmt/format.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle {

static void nameReductions(func::FuncOp function) {
  SmallVector<linalg::GenericOp> reductions;
  function.walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() != 0)
      reductions.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::GenericOp op : reductions) {
    rewriter.setInsertionPoint(op);
    (void)linalg::specializeGenericOp(rewriter, op); // what has no name is refused later
  }
}

/// Integers and indices that follow from constants and from shapes.
using KnownIntegers = llvm::DenseMap<Value, Attribute>; // looked up only, never iterated

static void learn(Operation &op, KnownIntegers &known) {
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
      !op.getResult(0).getType().isIntOrIndex())
    return;
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands())
    operands.push_back(known.lookup(operand));
  SmallVector<OpFoldResult> results;
  if (failed(op.fold(operands, results)) || results.empty())
    return;
  if (auto value = dyn_cast<Value>(results[0]))
    known[op.getResult(0)] = known.lookup(value);
  else
    known[op.getResult(0)] = cast<Attribute>(results[0]);
}

/// Exporters assert what they assume of shapes. These are static here, so that it is known.
static llvm::Expected<bool> dropAsserts(func::FuncOp function, const std::string &path) {
  bool isChanged = false;
  KnownIntegers known;
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto assertion = dyn_cast<cf::AssertOp>(op);
      if (!assertion) {
        learn(op, known);
        continue;
      }
      auto holds = dyn_cast_if_present<IntegerAttr>(known.lookup(assertion.getArg()));
      if (!holds || holds.getValue().isZero())
        return inputError(placeOf(op.getLoc(), path),
                          fmt::format("the assertion '{}' {}", assertion.getMsg().str(),
                                      holds ? "does not hold for these shapes"
                                            : "depends on the sample, expected one of shapes only; "
                                              "leave it out"));
      op.erase();
      isChanged = true;
    }
  return isChanged;
}

static void eraseUnused(func::FuncOp function) {
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

llvm::Error prepareMlir(func::FuncOp network, int64_t batch, const std::string &path) {
  bool isShorter = dropOrderKeepingEnd(network, batch);
  for (auto function : network->getParentOfType<ModuleOp>().getOps<func::FuncOp>()) {
    SPINDLE_ASSIGN(bool hasAsserts, dropAsserts(function, path));
    if (hasAsserts || (isShorter && function == network))
      eraseUnused(function);
    nameReductions(function);
  }
  return llvm::Error::success();
}

} // namespace spindle
