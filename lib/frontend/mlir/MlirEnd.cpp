// What stands after the logits: softmax, its logarithm and the number of the largest class, in the
// operations that exporters write them out in. The order of the classes stays, so they go.
#include "lib/frontend/mlir/MlirModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace spindle {

namespace {

/// The operands of an element-wise operation that computes only `Op`, by itself or as the region of
/// a linalg operation; none for other values.
template <typename Op> SmallVector<Value, 2> operandsOf(Value value) {
  if (auto direct = value.getDefiningOp<Op>())
    return SmallVector<Value, 2>(direct->getOperands());
  auto loops = value.getDefiningOp<linalg::LinalgOp>();
  if (!loops || loops.getNumReductionLoops() != 0 || loops->getNumResults() != 1)
    return {};
  auto inner = loops.getBlock()->getTerminator()->getOperand(0).template getDefiningOp<Op>();
  SmallVector<Value, 2> operands;
  for (Value operand : inner ? ValueRange(inner->getOperands()) : ValueRange()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != loops.getBlock())
      return {};
    operands.push_back(loops->getOperand(argument.getArgNumber()));
  }
  return operands;
}

/// The value before it is given another shape or repeated.
Value beforeReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (!loops || loops.getNumReductionLoops() != 0 || op->getNumResults() != 1)
      break;
    auto yielded = dyn_cast<BlockArgument>(loops.getBlock()->getTerminator()->getOperand(0));
    if (!yielded || yielded.getArgNumber() >= loops.getNumDpsInputs())
      break;
    value = op->getOperand(yielded.getArgNumber());
  }
  return value;
}

int64_t countOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

/// The operation that reduces all classes of each of `batch` samples to this value, or nothing.
linalg::LinalgOp overClasses(Value value, int64_t batch) {
  auto loops = value.getDefiningOp<linalg::LinalgOp>();
  if (!loops || loops.getNumReductionLoops() == 0 || loops.getNumDpsInputs() != 1 ||
      countOf(value) != batch)
    return {};
  AffineMap map = loops.getMatchingIndexingMap(loops.getDpsInputOperand(0));
  bool hasLoop = map.getNumResults() != 0 && isa<AffineDimExpr>(map.getResult(0));
  bool keepsSamples =
      batch == 1 || (hasLoop && loops.getIteratorTypesArray()[map.getDimPosition(0)] ==
                                    utils::IteratorType::parallel);
  return keepsSamples ? loops : linalg::LinalgOp();
}

/// Whether a value is alike for all classes of a sample: reduced from them, by a maximum, a sum or
/// the logarithm of one.
bool isOfSample(Value value, int64_t batch, int deepest = 4) {
  if (deepest == 0) // exporters write fewer
    return false;
  value = beforeReshapes(value);
  SmallVector<Value, 2> logarithm = operandsOf<math::LogOp>(value),
                        sum = operandsOf<arith::AddFOp>(value);
  if (!logarithm.empty())
    return isOfSample(logarithm[0], batch, deepest - 1);
  if (!sum.empty())
    return isOfSample(sum[0], batch, deepest - 1) && isOfSample(sum[1], batch, deepest - 1);
  return bool(overClasses(value, batch));
}

/// Whether a reduction along `axis` leaves one value of each sample.
bool leavesSamples(Value input, Value result, int64_t axis, int64_t batch) {
  return countOf(result) == batch && (batch == 1 || axis != 0) &&
         cast<ShapedType>(input.getType()).hasStaticShape();
}

/// As isOfSample, in tosa.
bool isTosaOfSample(Value value, int64_t batch, int deepest = 4) {
  Operation *op = value.getDefiningOp();
  if (!op || deepest == 0)
    return false;
  if (auto most = dyn_cast<tosa::ReduceMaxOp>(op))
    return leavesSamples(most.getInput(), value, most.getAxis(), batch);
  if (auto sum = dyn_cast<tosa::ReduceSumOp>(op))
    return leavesSamples(sum.getInput(), value, sum.getAxis(), batch);
  if (isa<tosa::AddOp>(op))
    return isTosaOfSample(op->getOperand(0), batch, deepest - 1) &&
           isTosaOfSample(op->getOperand(1), batch, deepest - 1);
  return isa<tosa::LogOp, tosa::ReshapeOp>(op) &&
         isTosaOfSample(op->getOperand(0), batch, deepest - 1);
}

/// x of x − m, where m is alike for all classes; else nothing.
Value unshifted(Value value, int64_t batch) {
  auto shifted = value.getDefiningOp<tosa::SubOp>();
  if (shifted && countOf(shifted.getInput1()) == countOf(value) &&
      isTosaOfSample(shifted.getInput2(), batch))
    return shifted.getInput1();
  SmallVector<Value, 2> difference = operandsOf<arith::SubFOp>(beforeReshapes(value));
  return !difference.empty() && isOfSample(difference[1], batch) ? difference[0] : Value();
}

/// c of exp(c) / Σ exp, or nothing.
Value ofLinalgSoftmax(Value value, int64_t batch) {
  SmallVector<Value, 2> share = operandsOf<arith::DivFOp>(beforeReshapes(value));
  if (share.empty())
    return {};
  SmallVector<Value, 2> power = operandsOf<math::ExpOp>(beforeReshapes(share[0]));
  linalg::LinalgOp sum = overClasses(beforeReshapes(share[1]), batch);
  bool isPositive =
      sum && !operandsOf<math::ExpOp>(beforeReshapes(sum.getDpsInputOperand(0)->get())).empty() &&
      sum.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  return !power.empty() && isPositive ? power[0] : Value();
}

/// The values among which a reduction of two results finds the place of the largest, or nothing.
Value ofArgMax(Value value, int64_t batch) {
  value = beforeReshapes(value);
  linalg::LinalgOp loops = overClasses(value, batch);
  auto result = dyn_cast<OpResult>(value);
  if (!loops || !isa<IntegerType>(getElementTypeOrSelf(value)))
    return {};
  Operation *yield = loops.getBlock()->getTerminator();
  auto choice = yield->getOperand(result.getResultNumber()).getDefiningOp<arith::SelectOp>();
  auto compared = choice ? choice.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  using P = arith::CmpFPredicate;
  bool isLargest = compared && compared.getLhs() == loops.getBlock()->getArgument(0) &&
                   llvm::is_contained({P::OGT, P::UGT, P::OGE, P::UGE}, compared.getPredicate());
  return isLargest ? loops.getDpsInputOperand(0)->get() : Value();
}

/// The logits of e / Σ e with e = exp(logits − maximum), in tosa, or nothing.
Value ofTosaSoftmax(Value result) {
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

/// One step back from the end, or nothing.
Value before(Value value, int64_t batch) {
  if (Value logits = ofTosaSoftmax(value))
    return logits;
  if (Value classes = ofArgMax(value, batch))
    return classes;
  if (Value power = ofLinalgSoftmax(value, batch))
    return power;
  SmallVector<Value, 2> logarithm = operandsOf<math::LogOp>(beforeReshapes(value));
  if (!logarithm.empty())
    return ofLinalgSoftmax(logarithm[0], batch);
  if (auto logarithmOfTosa = value.getDefiningOp<tosa::LogOp>())
    return ofTosaSoftmax(logarithmOfTosa->getOperand(0));
  return unshifted(value, batch);
}

} // namespace

bool dropOrderKeepingEnd(func::FuncOp function, int64_t batch) {
  Operation *end = function.getBody().back().getTerminator();
  if (end->getNumOperands() != 1)
    return false;
  Value kept = end->getOperand(0);
  while (Value earlier = before(kept, batch))
    kept = earlier;
  bool isChanged = kept != end->getOperand(0);
  end->setOperand(0, kept);
  return isChanged;
}

} // namespace spindle
