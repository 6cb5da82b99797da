#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::hls {

namespace {
/// Quotients and remainders whose outcome the ranges of the loop variables settle: with 0 <= j < 8,
/// (8 i + j) floordiv 8 is i. Views of arrays are full of them.
class RangeSimplifier {
public:
  RangeSimplifier(ValueRange d, ValueRange s) : dims(d), symbols(s) {}

  AffineExpr simplify(AffineExpr expression) const {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
    if (!binary)
      return expression;
    AffineExpr left = simplify(binary.getLHS()), right = simplify(binary.getRHS());
    auto divisor = dyn_cast<AffineConstantExpr>(right);
    bool divides = expression.getKind() == AffineExprKind::FloorDiv ||
                   expression.getKind() == AffineExprKind::Mod;
    if (!divides || !divisor || divisor.getValue() < 1)
      return getAffineBinaryOpExpr(expression.getKind(), left, right);
    int64_t number = divisor.getValue();
    AffineExpr multiples = getAffineConstantExpr(0, expression.getContext()), rest = multiples;
    split(left, number, multiples, rest);
    IntegerRange range = integerRangeOf(rest, dims, symbols);
    int64_t quotient = llvm::divideFloorSigned(range.least, number);
    if (!range.isKnown() || quotient != llvm::divideFloorSigned(range.most, number))
      return getAffineBinaryOpExpr(expression.getKind(), left, right);
    if (expression.getKind() == AffineExprKind::Mod)
      return rest - quotient * number;
    return multiples.floorDiv(number) + quotient;
  }

private:
  /// The summands that are multiples of `number`, and the others.
  static void split(AffineExpr sum, int64_t number, AffineExpr &multiples, AffineExpr &rest) {
    if (sum.getKind() == AffineExprKind::Add) {
      split(cast<AffineBinaryOpExpr>(sum).getLHS(), number, multiples, rest);
      split(cast<AffineBinaryOpExpr>(sum).getRHS(), number, multiples, rest);
    } else {
      AffineExpr &part = sum.isMultipleOf(number) ? multiples : rest;
      part = part + sum;
    }
  }

  ValueRange dims, symbols;
};
} // namespace

static AffineMap simplify(AffineMap map, ValueRange operands) {
  RangeSimplifier simplifier(operands.take_front(map.getNumDims()),
                             operands.drop_front(map.getNumDims()));
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults())
    results.push_back(simplifier.simplify(result));
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}

/// Operations on indices that are data, written out: affine ones are for loop variables.
static void expand(Operation *op, IRRewriter &rewriter) {
  auto isData = [](Value operand) {
    return !affine::isValidDim(operand) && !affine::isValidSymbol(operand);
  };
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  if (!apply || llvm::none_of(apply.getMapOperands(), isData))
    return;
  rewriter.setInsertionPoint(op);
  if (auto values = affine::expandAffineMap(rewriter, op->getLoc(), apply.getAffineMap(),
                                            apply.getMapOperands()))
    rewriter.replaceOp(op, *values);
}

LogicalResult settleIndices(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  top.walk([&](Operation *op) {
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      load.setMap(simplify(load.getAffineMap(), load.getMapOperands()));
    else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
      store.setMap(simplify(store.getAffineMap(), store.getMapOperands()));
    else
      expand(op, rewriter);
  });
  return success();
}

} // namespace spindle::hls
