#include "lib/frontend/mlir/MlirModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
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

/// The logits of e / Σ e with e = exp(logits − maximum), or nothing.
static Value logitsOf(Value result) {
  auto product = result.getDefiningOp<tosa::MulOp>();
  if (!product)
    return {};
  for (auto [power, share] : {std::pair(product.getInput1(), product.getInput2()),
                              std::pair(product.getInput2(), product.getInput1())}) {
    auto inverse = share.getDefiningOp<tosa::ReciprocalOp>();
    auto sum =
        inverse ? inverse->getOperand(0).getDefiningOp<tosa::ReduceSumOp>() : tosa::ReduceSumOp();
    auto exponential = power.getDefiningOp<tosa::ExpOp>();
    if (!sum || !exponential || sum.getInput() != power)
      continue;
    Value logits = exponential->getOperand(0);
    auto shifted = logits.getDefiningOp<tosa::SubOp>();
    auto most =
        shifted ? shifted.getInput2().getDefiningOp<tosa::ReduceMaxOp>() : tosa::ReduceMaxOp();
    if (most && most.getInput() == shifted.getInput1())
      logits = shifted.getInput1();
    auto type = cast<ShapedType>(logits.getType());
    if (type.hasStaticShape() && type.getDimSize(sum.getAxis()) == type.getNumElements())
      return logits;
  }
  return {};
}

static void dropSoftmax(func::FuncOp function) {
  Operation *end = function.getBody().back().getTerminator();
  if (end->getNumOperands() != 1)
    return;
  Value logits = logitsOf(end->getOperand(0));
  if (!logits)
    return;
  end->setOperand(0, logits);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().back())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void prepareMlir(func::FuncOp function) {
  nameReductions(function);
  dropSoftmax(function);
}

} // namespace spindle
