#include "hw/hls/loops/analysis/TripCount.h"

#include "hw/hls/ranges/ValueRanges.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

std::optional<int64_t> largestTripCount(affine::AffineForOp loop) {
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  unsigned dimensions = upper.getNumDims() + lower.getNumDims();
  unsigned symbols = upper.getNumSymbols() + lower.getNumSymbols();
  SmallVector<Value> operands(loop.getUpperBoundOperands().take_front(upper.getNumDims()));
  llvm::append_range(operands, loop.getLowerBoundOperands().take_front(lower.getNumDims()));
  llvm::append_range(operands, loop.getUpperBoundOperands().drop_front(upper.getNumDims()));
  llvm::append_range(operands, loop.getLowerBoundOperands().drop_front(lower.getNumDims()));
  int64_t most = INT64_MAX;
  for (AffineExpr u : upper.getResults())
    for (AffineExpr l : lower.getResults()) {
      AffineExpr shifted = l.shiftDims(lower.getNumDims(), upper.getNumDims())
                               .shiftSymbols(lower.getNumSymbols(), upper.getNumSymbols());
      AffineMap trips = AffineMap::get(dimensions, symbols, u - shifted);
      SmallVector<Value> used = operands;
      affine::fullyComposeAffineMapAndOperands(&trips, &used);
      affine::canonicalizeMapAndOperands(&trips, &used);
      int64_t end =
          integerRangeOf(simplifyAffineMap(trips).getResult(0), trips.getNumDims(), used).most;
      most = std::min(most, end);
    }
  if (most == INT64_MAX)
    return std::nullopt;
  return std::max<int64_t>(most, 0);
}

} // namespace spindle::hls
