#include "hw/hls/lower/kernel/LoopNest.h"

#include "hw/hls/dependence/Nest.h"

#include <algorithm>

namespace spindle::hls {

using mlir::affine::AffineForOp;

namespace {

/// Whether `outer` hands its carried values to `inner` and takes them back as they are.
bool threadsThrough(AffineForOp outer, AffineForOp inner) {
  auto yielded = outer.getBody()->getTerminator()->getOperands();
  return llvm::equal(inner.getInits(), outer.getRegionIterArgs()) &&
         llvm::equal(yielded, inner.getResults());
}

} // namespace

llvm::SmallVector<AffineForOp> pipelinedLoops(AffineForOp outermost) {
  llvm::SmallVector<AffineForOp> loops = perfectNest(outermost);
  for (size_t level = 1; level < loops.size(); ++level)
    if (!threadsThrough(loops[level - 1], loops[level]))
      return {};
  return loops;
}

NestBounds boundsOf(llvm::ArrayRef<AffineForOp> loops) {
  NestBounds bounds;
  auto isCounter = [&](mlir::Value value) {
    return llvm::any_of(loops, [&](AffineForOp loop) { return loop.getInductionVar() == value; });
  };
  for (AffineForOp loop : loops)
    for (mlir::OperandRange operands : {loop.getLowerBoundOperands(), loop.getUpperBoundOperands()})
      for (mlir::Value value : operands)
        if (!isCounter(value) && !llvm::is_contained(bounds.operands, value))
          bounds.operands.push_back(value);

  llvm::SmallVector<mlir::Value> known = bounds.operands;
  for (AffineForOp loop : loops) {
    auto asDimensions = [&](mlir::AffineMap map, mlir::ValueRange operands) {
      llvm::SmallVector<mlir::AffineExpr> inputs;
      for (mlir::Value value : operands)
        inputs.push_back(
            mlir::getAffineDimExpr(llvm::find(known, value) - known.begin(), map.getContext()));
      llvm::ArrayRef<mlir::AffineExpr> all = inputs;
      return map.replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                       all.drop_front(map.getNumDims()), known.size(), 0);
    };
    bounds.lower.push_back(asDimensions(loop.getLowerBoundMap(), loop.getLowerBoundOperands()));
    bounds.upper.push_back(asDimensions(loop.getUpperBoundMap(), loop.getUpperBoundOperands()));
    bounds.atLeast.push_back(leastIterations(loop));
    known.push_back(loop.getInductionVar());
  }
  return bounds;
}

namespace {

/// Sums are taken together first: i + 1 - i is 1, whatever i.
mlir::AffineExpr simplified(mlir::AffineExpr expression, unsigned dimensions) {
  return mlir::simplifyAffineExpr(expression, dimensions, 0);
}

int64_t valueOf(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dimensions) {
  llvm::SmallVector<IntegerRange> points;
  for (int64_t value : dimensions)
    points.push_back({value, value});
  return rangeOf(expression, points).least;
}

int64_t largest(mlir::AffineMap map, llvm::ArrayRef<int64_t> dimensions) {
  int64_t value = INT64_MIN;
  for (mlir::AffineExpr result : map.getResults())
    value = std::max(value, valueOf(result, dimensions));
  return value;
}

int64_t smallest(mlir::AffineMap map, llvm::ArrayRef<int64_t> dimensions) {
  int64_t value = INT64_MAX;
  for (mlir::AffineExpr result : map.getResults())
    value = std::min(value, valueOf(result, dimensions));
  return value;
}

int64_t countFrom(const NestBounds &bounds, size_t level, llvm::SmallVectorImpl<int64_t> &known) {
  if (level == bounds.lower.size())
    return 1;
  int64_t first = largest(bounds.lower[level], known);
  int64_t trips = std::max(smallest(bounds.upper[level], known) - first, bounds.atLeast[level]);
  bool isUniform = true; // the levels inside do not see this counter
  for (size_t inner = level + 1; inner < bounds.lower.size(); ++inner)
    for (mlir::AffineMap map : {bounds.lower[inner], bounds.upper[inner]})
      isUniform &= !map.isFunctionOfDim(known.size());
  int64_t total = 0;
  for (int64_t trip = 0; trip < trips; ++trip) {
    known.push_back(first + trip);
    int64_t inside = countFrom(bounds, level + 1, known);
    known.pop_back();
    if (isUniform)
      return trips * inside;
    total += inside;
  }
  return total;
}

} // namespace

llvm::SmallVector<IntegerRange> counterRanges(const NestBounds &bounds,
                                              llvm::ArrayRef<IntegerRange> operands) {
  llvm::SmallVector<IntegerRange> known(operands);
  for (size_t level = 0; level < bounds.lower.size(); ++level) {
    IntegerRange first{INT64_MIN, INT64_MIN}, last{INT64_MAX, INT64_MAX};
    for (mlir::AffineExpr result : bounds.lower[level].getResults())
      first = maximum(first, rangeOf(result, known));
    for (mlir::AffineExpr result : bounds.upper[level].getResults())
      last = minimum(last, rangeOf(result, known));
    int64_t most = std::max(last.most - 1, first.most + bounds.atLeast[level] - 1);
    known.push_back({first.least, std::max(most, first.most)});
  }
  return llvm::SmallVector<IntegerRange>(
      llvm::ArrayRef<IntegerRange>(known).drop_front(operands.size()));
}

llvm::SmallVector<bool> mayBubble(const NestBounds &bounds, llvm::ArrayRef<IntegerRange> operands) {
  llvm::SmallVector<IntegerRange> known(operands);
  known.append(counterRanges(bounds, operands));
  llvm::SmallVector<bool> may;
  for (size_t level = 0; level < bounds.lower.size(); ++level) {
    bool isShort = false;
    for (mlir::AffineExpr upper : bounds.upper[level].getResults())
      for (mlir::AffineExpr lower : bounds.lower[level].getResults())
        isShort |=
            rangeOf(simplified(upper - lower, known.size()), known).least < bounds.atLeast[level];
    may.push_back(isShort);
  }
  return may;
}

int64_t countIterations(const NestBounds &bounds, llvm::ArrayRef<int64_t> operands) {
  llvm::SmallVector<int64_t> known(operands);
  return countFrom(bounds, 0, known);
}

} // namespace spindle::hls
