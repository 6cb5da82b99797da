#include "dialects/affine/EmptyLoops.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace {

using Bound = std::optional<int64_t>;

/// Counters of the loops around, and what is known of their values: least and most.
class EmptyLoops {
public:
  WalkResult visit(affine::AffineForOp loop) {
    if (neverRuns(loop.getInductionVar(), loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                  loop.getUpperBoundMap(), loop.getUpperBoundOperands()) ||
        affine::getConstantTripCount(loop) == 0)
      return replace(loop, llvm::to_vector<4>(ValueRange(loop.getInits())));
    return WalkResult::advance();
  }

  WalkResult visit(affine::AffineParallelOp loop) {
    bool isEmpty = false;
    for (unsigned dim = 0; dim < loop.getNumDims(); ++dim)
      isEmpty |=
          neverRuns(loop.getIVs()[dim], loop.getLowerBoundMap(dim), loop.getLowerBoundsOperands(),
                    loop.getUpperBoundMap(dim), loop.getUpperBoundsOperands());
    if (!isEmpty)
      return WalkResult::advance();
    OpBuilder builder(loop);
    SmallVector<Value, 4> neutral;
    for (auto [kind, result] : llvm::zip(loop.getReductions(), loop.getResults()))
      neutral.push_back(arith::getIdentityValue(cast<arith::AtomicRMWKindAttr>(kind).getValue(),
                                                result.getType(), builder, loop.getLoc()));
    return replace(loop, neutral);
  }

private:
  static WalkResult replace(Operation *loop, ArrayRef<Value> results) {
    loop->replaceAllUsesWith(results);
    loop->erase();
    return WalkResult::skip();
  }

  /// Whether the least start is not below the greatest end; keeps what is known of the counter.
  bool neverRuns(Value counter, AffineMap lower, ValueRange lowerOperands, AffineMap upper,
                 ValueRange upperOperands) {
    Bound start, end;
    for (Bound each : boundsOf(lower, lowerOperands, false))
      if (each)
        start = start ? std::max(*start, *each) : *each;
    for (Bound each : boundsOf(upper, upperOperands, true))
      if (each)
        end = end ? std::min(*end, *each) : *each;
    least[counter] = start;
    most[counter] = end ? Bound(*end - 1) : Bound();
    return start && end && *start >= *end;
  }

  /// Of each result of a map: the least it can be, or the most.
  SmallVector<Bound> boundsOf(AffineMap map, ValueRange operands, bool isUpper) const {
    SmallVector<Value> composed(operands);
    affine::fullyComposeAffineMapAndOperands(&map, &composed);
    SmallVector<Bound> lows, highs, bounds;
    for (Value operand : composed) {
      IntegerAttr constant;
      bool isConstant = matchPattern(operand, m_Constant(&constant));
      lows.push_back(isConstant ? Bound(constant.getInt()) : least.lookup(operand));
      highs.push_back(isConstant ? Bound(constant.getInt()) : most.lookup(operand));
    }
    for (AffineExpr result : map.getResults()) {
      bool hasRemainder = false; // of which upstream gives wrong bounds, see Remainders.h
      result.walk([&](AffineExpr expr) { hasRemainder |= expr.getKind() == AffineExprKind::Mod; });
      if (hasRemainder) {
        bounds.push_back({});
        continue;
      }
      bounds.push_back(getBoundForAffineExpr(result, map.getNumDims(), map.getNumSymbols(), lows,
                                             highs, isUpper));
    }
    return bounds;
  }

  llvm::DenseMap<Value, Bound> least, most;
};

} // namespace

void spindle::removeEmptyLoops(Operation *root) {
  EmptyLoops loops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<affine::AffineForOp>(op))
      return loops.visit(loop);
    if (auto loop = dyn_cast<affine::AffineParallelOp>(op))
      return loops.visit(loop);
    return WalkResult::advance();
  });
}
