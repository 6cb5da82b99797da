// Rules of linalg operations without reduction: the region is lifted once, on whole tensors that
// are arranged along the loops. Fill, broadcast and transpose are such operations too.
#include "lib/frontend/mlir/MlirLifter.h"

#include "fmt/format.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <numeric>

using namespace mlir;

namespace spindle {

/// An operand as a tensor over the loops, with extents of one where it does not depend on a loop.
static llvm::Expected<Tensor> alongLoops(MlirLifter &lifter, Tensor x, AffineMap map,
                                         ArrayRef<int64_t> ranges) {
  Shape units, order, loops;
  for (size_t d = 0; d < map.getNumResults(); ++d) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(d));
    if (loop && !llvm::is_contained(loops, int64_t(loop.getPosition()))) {
      order.push_back(int64_t(d));
      loops.push_back(loop.getPosition());
    } else if (!loop && x.shape[d] == 1 && isa<AffineConstantExpr>(map.getResult(d))) {
      units.push_back(int64_t(d));
    } else {
      return lifter.refuse("an operand that is indexed by more than single loops is not supported");
    }
  }
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return cast<AffineDimExpr>(map.getResult(a)).getPosition() <
           cast<AffineDimExpr>(map.getResult(b)).getPosition();
  });
  Shape shape(ranges.size(), 1);
  for (int64_t d : order)
    shape[cast<AffineDimExpr>(map.getResult(d)).getPosition()] = x.shape[d];
  order.insert(order.begin(), units.begin(), units.end());
  if (!llvm::is_sorted(order)) {
    SPINDLE_ASSIGN(x, lifter.builder.transpose(x, order));
  }
  if (x.shape == shape)
    return x;
  return lifter.builder.reshape(x, shape);
}

/// Repeats a constant over loops that it does not depend on. The batch of an activation counts as
/// one.
static llvm::Expected<Tensor> fillLoops(MlirLifter &lifter, Tensor x, const Shape &ranges) {
  if (x.isConstant()) {
    if (x.shape != ranges && x.values.size() > 1)
      x.values = broadcastValues(x, ranges);
    x.shape = ranges;
    return x;
  }
  for (size_t d = 0; d < ranges.size(); ++d)
    if (x.shape[d] != ranges[d] && !(x.shape[d] == 1 && ranges[d] == lifter.builder.batch))
      return lifter.refuse(fmt::format("broadcasting an activation of {} to {} is not supported",
                                       toText(x.shape), toText(ranges)));
  return x;
}

static llvm::Expected<Tensor> liftLoops(MlirLifter &lifter, linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 0)
    return liftSumOverLoops(lifter, op);
  SmallVector<int64_t> staticRanges = op.getStaticLoopRanges();
  Shape ranges(staticRanges.begin(), staticRanges.end());
  if (llvm::any_of(ranges, ShapedType::isDynamic) || llvm::is_contained(ranges, 0))
    return lifter.refuse("shapes must be static and not empty");
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    SPINDLE_ASSIGN(Tensor x, lifter.lookup(operand.get()));
    SPINDLE_ASSIGN(Tensor along,
                   alongLoops(lifter, x, op.getMatchingIndexingMap(&operand), ranges));
    lifter.bind(op.getMatchingBlockArgument(&operand), std::move(along));
  }
  SPINDLE_RETURN_IF_ERROR(lifter.liftBody(*op.getBlock()));
  SPINDLE_ASSIGN(Tensor yielded, lifter.lookup(op.getBlock()->getTerminator()->getOperand(0)));
  lifter.enter(op);
  // A scalar from outside the region has no loops yet.
  if (yielded.shape.size() < ranges.size())
    yielded.shape.insert(yielded.shape.begin(), ranges.size() - yielded.shape.size(), 1);
  SPINDLE_ASSIGN(Tensor full, fillLoops(lifter, std::move(yielded), ranges));

  AffineMap target = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!target.isPermutation())
    return lifter.refuse("a result that is not indexed by each loop once is not supported");
  Shape permutation;
  for (AffineExpr loop : target.getResults())
    permutation.push_back(cast<AffineDimExpr>(loop).getPosition());
  if (llvm::is_sorted(permutation))
    return full;
  return lifter.builder.transpose(full, permutation);
}

template <typename Op> static llvm::Expected<Tensor> loops(MlirLifter &lifter, Op op) {
  return liftLoops(lifter, cast<linalg::LinalgOp>(op.getOperation()));
}

std::vector<LiftRule> linalgElementwiseRules() {
  using namespace linalg;
  return {rule(loops<GenericOp>),     rule(loops<MapOp>),       rule(loops<FillOp>),
          rule(loops<BroadcastOp>),   rule(loops<TransposeOp>), rule(loops<AddOp>),
          rule(loops<SubOp>),         rule(loops<MulOp>),       rule(loops<DivOp>),
          rule(loops<MaxOp>),         rule(loops<MinOp>),       rule(loops<NegFOp>),
          rule(loops<SqrtOp>),        rule(loops<RsqrtOp>),     rule(loops<CopyOp>),
          rule(loops<ElementwiseOp>), rule(loops<ReduceOp>)};
}

} // namespace spindle
