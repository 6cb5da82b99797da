#include "hw/hls/loops/unroll/SplitRemainder.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

LogicalResult splitRemainder(AffineForOp loop, int64_t factor) {
  std::optional<uint64_t> trip = getConstantTripCount(loop);
  if (trip && int64_t(*trip) % factor == 0)
    return success();
  AffineMap upper = loop.getUpperBoundMap();
  if (upper.getNumResults() != 1)
    return failure();
  AffineExpr end = upper.getResult(0), full = end.floorDiv(factor) * factor;
  unsigned dimensions = upper.getNumDims(), symbols = upper.getNumSymbols();
  AffineMap border = AffineMap::get(dimensions, symbols, full);
  SmallVector<AffineExpr> start{full};
  SmallVector<Value> operands(loop.getUpperBoundOperands());
  // A loop that may end before it starts has no iterations after the last full strip either.
  if (integerRangeOf(end, dimensions, operands).least < 0)
    start.push_back(getAffineConstantExpr(0, loop.getContext()));

  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  auto rest = cast<AffineForOp>(builder.clone(*loop));
  rest.setLowerBound(operands, AffineMap::get(dimensions, symbols, start, loop.getContext()));
  loop.setUpperBound(operands, border);
  loop->replaceAllUsesWith(rest.getResults());
  for (auto [init, result] : llvm::zip(rest.getInitsMutable(), loop.getResults()))
    init.set(result);
  (void)promoteIfSingleIteration(rest);
  return success();
}

} // namespace spindle::hls
