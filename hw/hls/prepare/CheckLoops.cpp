// Steps and iterations of loops: MLIR folds a loop with step 0 to nothing, and its counts wrap
// around.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace spindle::hls {

/// Of one nest; times some cycles per iteration still fits 63 bits.
constexpr int64_t mostIterations = int64_t(1) << 48;

static IntegerRange rangeOf(OpFoldResult number) {
  if (auto value = dyn_cast<Value>(number))
    return integerRangeOf(value);
  int64_t constant = *getConstantIntValue(number);
  return {constant, constant};
}

/// The steps of a loop over one or several variables; none of other operations.
static SmallVector<IntegerRange> stepsOf(Operation *op) {
  SmallVector<IntegerRange> steps;
  if (auto parallel = dyn_cast<affine::AffineParallelOp>(op))
    for (int64_t step : parallel.getSteps())
      steps.push_back({step, step});
  else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (OpFoldResult step : loop.getLoopSteps().value_or(SmallVector<OpFoldResult>()))
      steps.push_back(rangeOf(step));
  return steps;
}

static LogicalResult checkSteps(Operation *op) {
  for (IntegerRange step : stepsOf(op)) {
    if (step.most >= 1)
      continue;
    InFlightDiagnostic error = op->emitError("the loop has step ");
    if (step.least == step.most)
      error << step.most;
    else
      error << "0 or less";
    return error << ", expected a step of at least 1: correct it, or bind another number";
  }
  return success();
}

namespace {
/// Bounds and step of a loop over one variable, as constants.
struct Bounds {
  int64_t from, to, step;

  /// Whether a difference of 64 bits with a sign holds the distance.
  bool isFar() const { return from < to && uint64_t(to) - uint64_t(from) > uint64_t(INT64_MAX); }

  /// How often the loop runs; `mostIterations` + 1 stands for all larger numbers.
  int64_t count() const {
    if (from >= to)
      return 0;
    uint64_t distance = uint64_t(to) - uint64_t(from);
    return std::min<uint64_t>((distance - 1) / uint64_t(step) + 1, mostIterations + 1);
  }
};
} // namespace

static SmallVector<Bounds> boundsOf(affine::AffineParallelOp parallel) {
  SmallVector<Bounds> all;
  for (unsigned dim = 0; dim < parallel.getNumDims(); ++dim) {
    AffineMap from = parallel.getLowerBoundMap(dim), to = parallel.getUpperBoundMap(dim);
    if (from.isSingleConstant() && to.isSingleConstant())
      all.push_back(
          {from.getSingleConstantResult(), to.getSingleConstantResult(), parallel.getSteps()[dim]});
  }
  return all;
}

/// Of the variables of a loop whose bounds are constant.
static SmallVector<Bounds> boundsOf(Operation *op) {
  if (auto parallel = dyn_cast<affine::AffineParallelOp>(op))
    return boundsOf(parallel);
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  auto from = loop ? loop.getLoopLowerBounds() : std::nullopt;
  auto to = loop ? loop.getLoopUpperBounds() : std::nullopt;
  auto steps = loop ? loop.getLoopSteps() : std::nullopt;
  SmallVector<Bounds> all;
  if (from && to && steps)
    for (auto [first, last, step] : llvm::zip(*from, *to, *steps)) {
      IntegerRange a = rangeOf(first), b = rangeOf(last), s = rangeOf(step);
      if (a.least == a.most && b.least == b.most && s.least == s.most)
        all.push_back({a.least, b.least, s.least});
    }
  return all;
}

/// Checks the loops in `op`, which itself runs `around` times as far as constants tell.
static LogicalResult checkNest(Operation *op, int64_t around) {
  if (failed(checkSteps(op)))
    return failure();
  for (const Bounds &bounds : boundsOf(op)) {
    int64_t count = std::max<int64_t>(bounds.count(), 1);
    if (around > mostIterations / count)
      return op->emitError() << "the loop from " << bounds.from << " to " << bounds.to
                             << " and those around it have more than 2^48 iterations, expected at "
                                "most that: run it over fewer";
    if (bounds.isFar())
      return op->emitError() << "the loop goes from " << bounds.from << " to " << bounds.to
                             << ", expected bounds less than 2^63 apart: count from 0";
    around *= count;
  }
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (failed(checkNest(&inner, around)))
        return failure();
  return success();
}

LogicalResult checkLoops(ModuleOp module) { return checkNest(module, 1); }

} // namespace spindle::hls
