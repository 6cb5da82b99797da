#include "hw/hls/loops/analysis/IndexRange.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

namespace {

IndexRange scaled(IndexRange range, int64_t factor) {
  int64_t a = range.lowest * factor, b = range.highest * factor;
  return {std::min(a, b), std::max(a, b)};
}

/// x mod m for x in the range: exact while no multiple of m lies inside.
IndexRange modulo(IndexRange range, int64_t m) {
  if (llvm::divideFloorSigned(range.lowest, m) == llvm::divideFloorSigned(range.highest, m))
    return {llvm::mod(range.lowest, m), llvm::mod(range.highest, m)};
  return {0, m - 1};
}

struct Ranges : AffineExprVisitor<Ranges, std::optional<IndexRange>> {
  unsigned dimensions;
  ValueRange operands;
  Ranges(unsigned d, ValueRange o) : dimensions(d), operands(o) {}

  std::optional<IndexRange> visitConstantExpr(AffineConstantExpr e) {
    return IndexRange{e.getValue(), e.getValue()};
  }
  std::optional<IndexRange> visitDimExpr(AffineDimExpr e) {
    return rangeOf(operands[e.getPosition()]);
  }
  std::optional<IndexRange> visitSymbolExpr(AffineSymbolExpr e) {
    return rangeOf(operands[dimensions + e.getPosition()]);
  }
  std::optional<IndexRange> visitAddExpr(AffineBinaryOpExpr e) {
    auto a = visit(e.getLHS()), b = visit(e.getRHS());
    if (!a || !b)
      return std::nullopt;
    return IndexRange{a->lowest + b->lowest, a->highest + b->highest};
  }
  std::optional<IndexRange> visitMulExpr(AffineBinaryOpExpr e) {
    auto a = visit(e.getLHS()), b = visit(e.getRHS());
    if (!a || !b || b->lowest != b->highest)
      return std::nullopt;
    return scaled(*a, b->lowest);
  }
  /// A range divided by one positive number, rounded by `divide`.
  template <typename Divide>
  std::optional<IndexRange> quotient(AffineBinaryOpExpr e, Divide divide) {
    auto a = visit(e.getLHS()), b = visit(e.getRHS());
    if (!a || !b || b->lowest != b->highest || b->lowest <= 0)
      return std::nullopt;
    return divide(*a, b->lowest);
  }
  std::optional<IndexRange> visitFloorDivExpr(AffineBinaryOpExpr e) {
    return quotient(e, [](IndexRange a, int64_t by) {
      return IndexRange{llvm::divideFloorSigned(a.lowest, by),
                        llvm::divideFloorSigned(a.highest, by)};
    });
  }
  std::optional<IndexRange> visitCeilDivExpr(AffineBinaryOpExpr e) {
    return quotient(e, [](IndexRange a, int64_t by) {
      return IndexRange{llvm::divideCeilSigned(a.lowest, by),
                        llvm::divideCeilSigned(a.highest, by)};
    });
  }
  std::optional<IndexRange> visitModExpr(AffineBinaryOpExpr e) { return quotient(e, modulo); }
};

/// Ranges of all results of a bound; a bound of several results is their maximum or minimum.
template <typename Pick>
std::optional<int64_t> boundOf(AffineMap map, ValueRange operands, Pick pick) {
  std::optional<int64_t> bound;
  for (AffineExpr result : map.getResults())
    if (auto range = rangeOf(result, map.getNumDims(), operands))
      bound = pick(bound, *range);
  return bound;
}
} // namespace

std::optional<IndexRange> rangeOf(AffineExpr expression, unsigned dimensions, ValueRange operands) {
  return Ranges(dimensions, operands).visit(expression);
}

std::optional<IndexRange> rangeOf(Value index) {
  IntegerAttr constant;
  if (matchPattern(index, m_Constant(&constant)))
    return IndexRange{constant.getInt(), constant.getInt()};
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return rangeOf(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(),
                   apply.getMapOperands());
  affine::AffineForOp loop = affine::getForInductionVarOwner(index);
  if (!loop)
    return std::nullopt;
  // Every result bounds the variable from one side, so that one known result is enough.
  auto lowest = boundOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                        [](std::optional<int64_t> bound, IndexRange r) {
                          return bound ? std::max(*bound, r.lowest) : r.lowest;
                        });
  auto highest = boundOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                         [](std::optional<int64_t> bound, IndexRange r) {
                           return bound ? std::min(*bound, r.highest - 1) : r.highest - 1;
                         });
  if (!lowest || !highest)
    return std::nullopt;
  return IndexRange{*lowest, std::max(*lowest, *highest)};
}

std::optional<int64_t> largestTripCount(affine::AffineForOp loop) {
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  unsigned dimensions = upper.getNumDims() + lower.getNumDims();
  unsigned symbols = upper.getNumSymbols() + lower.getNumSymbols();
  SmallVector<Value> operands(loop.getUpperBoundOperands().take_front(upper.getNumDims()));
  llvm::append_range(operands, loop.getLowerBoundOperands().take_front(lower.getNumDims()));
  llvm::append_range(operands, loop.getUpperBoundOperands().drop_front(upper.getNumDims()));
  llvm::append_range(operands, loop.getLowerBoundOperands().drop_front(lower.getNumDims()));
  std::optional<int64_t> most;
  for (AffineExpr u : upper.getResults())
    for (AffineExpr l : lower.getResults()) {
      AffineExpr shifted = l.shiftDims(lower.getNumDims(), upper.getNumDims())
                               .shiftSymbols(lower.getNumSymbols(), upper.getNumSymbols());
      AffineMap trips = AffineMap::get(dimensions, symbols, u - shifted);
      SmallVector<Value> used = operands;
      affine::fullyComposeAffineMapAndOperands(&trips, &used);
      affine::canonicalizeMapAndOperands(&trips, &used);
      auto range = rangeOf(simplifyAffineMap(trips).getResult(0), trips.getNumDims(), used);
      if (range)
        most = most ? std::min(*most, range->highest) : range->highest;
    }
  if (!most)
    return std::nullopt;
  return std::max<int64_t>(*most, 0);
}

} // namespace spindle::hls
