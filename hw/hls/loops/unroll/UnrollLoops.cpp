// Several iterations of a loop in one. The copies beyond the end of the loop are guarded, so that a
// nest stays one nest.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/LoopSelection.h"
#include "hw/hls/loops/analysis/TripCount.h"
#include "hw/hls/loops/unroll/SplitRemainder.h"
#include "hw/hls/loops/unroll/UnrolledSize.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSUNROLLLOOPS
#include "hw/hls/Passes.h.inc"

namespace {

/// The upper bounds u and the one lower bound l of a loop as expressions over one list of operands:
/// dimensions of u, those of l, symbols of u, those of l.
struct Bounds {
  SmallVector<AffineExpr> upper;
  AffineExpr lower;
  unsigned dimensions, symbols;
  SmallVector<Value> operands;

  explicit Bounds(AffineForOp loop) {
    AffineMap u = loop.getUpperBoundMap(), l = loop.getLowerBoundMap();
    dimensions = u.getNumDims() + l.getNumDims();
    symbols = u.getNumSymbols() + l.getNumSymbols();
    llvm::append_range(upper, u.getResults());
    lower = l.getResult(0)
                .shiftDims(l.getNumDims(), u.getNumDims())
                .shiftSymbols(l.getNumSymbols(), u.getNumSymbols());
    auto ofUpper = loop.getUpperBoundOperands(), ofLower = loop.getLowerBoundOperands();
    llvm::append_range(operands, ofUpper.take_front(u.getNumDims()));
    llvm::append_range(operands, ofLower.take_front(l.getNumDims()));
    llvm::append_range(operands, ofUpper.drop_front(u.getNumDims()));
    llvm::append_range(operands, ofLower.drop_front(l.getNumDims()));
  }

  /// The operands with one more dimension before them.
  SmallVector<Value> after(Value first) const {
    SmallVector<Value> all{first};
    llvm::append_range(all, operands);
    return all;
  }
};

/// One copy of the body with the induction variable and carried values of this iteration; returns
/// what it yields.
SmallVector<Value> cloneBody(OpBuilder &builder, AffineForOp loop, Value iv, ValueRange carried) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  mapping.map(loop.getRegionIterArgs(), carried);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

/// The copies k = 0 … factor - 1 of iteration i = l + factor t + k where the builder stands, those
/// from `firstGuarded` on under i < min(u). Returns the carried values after them.
SmallVector<Value> cloneIterations(OpBuilder &builder, AffineForOp loop, const Bounds &bounds,
                                   Value t, ValueRange inits, int64_t factor,
                                   int64_t firstGuarded) {
  Location loc = loop.getLoc();
  SmallVector<Value> carried(inits), operands = bounds.after(t);
  AffineExpr first =
      bounds.lower.shiftDims(bounds.dimensions, 1) + builder.getAffineDimExpr(0) * factor;
  for (int64_t k = 0; k < factor; ++k) {
    SmallVector<AffineExpr> inside;
    for (AffineExpr u : bounds.upper)
      inside.push_back(u.shiftDims(bounds.dimensions, 1) - first - k - 1);
    IntegerSet condition = IntegerSet::get(bounds.dimensions + 1, bounds.symbols, inside,
                                           SmallVector<bool>(inside.size(), false));
    OpBuilder::InsertionGuard guard(builder);
    AffineIfOp branch;
    if (k >= firstGuarded) {
      branch = AffineIfOp::create(builder, loc, loop.getResultTypes(), condition, operands,
                                  /*withElseRegion=*/!carried.empty());
      builder.setInsertionPoint(branch.getThenBlock(), branch.getThenBlock()->begin());
    }
    Value iv = AffineApplyOp::create(
        builder, loc, AffineMap::get(bounds.dimensions + 1, bounds.symbols, first + k), operands);
    SmallVector<Value> yielded = cloneBody(builder, loop, iv, carried);
    if (branch && !carried.empty()) {
      AffineYieldOp::create(builder, loc, yielded);
      builder.setInsertionPointToEnd(branch.getElseBlock());
      AffineYieldOp::create(builder, loc, carried);
      carried.assign(branch.result_begin(), branch.result_end());
    } else {
      carried = yielded;
    }
  }
  return carried;
}

/// for t = 0 to min(ceil((u - l) / factor)): the copies before `firstGuarded` need no guard.
void unrollBy(AffineForOp loop, int64_t factor, int64_t firstGuarded) {
  Bounds bounds(loop);
  OpBuilder builder(loop);
  SmallVector<AffineExpr> trips;
  for (AffineExpr u : bounds.upper)
    trips.push_back((u - bounds.lower).ceilDiv(factor));
  AffineMap tripMap =
      AffineMap::get(bounds.dimensions, bounds.symbols, trips, builder.getContext());
  auto unrolled =
      AffineForOp::create(builder, loop.getLoc(), ValueRange{}, builder.getConstantAffineMap(0),
                          bounds.operands, tripMap, /*step=*/1, loop.getInits());
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    unrolled->setDiscardableAttr(attribute.getName(), attribute.getValue());
  if (loop.getNumIterOperands() == 0)
    unrolled.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(unrolled.getBody());
  SmallVector<Value> carried = cloneIterations(builder, loop, bounds, unrolled.getInductionVar(),
                                               unrolled.getRegionIterArgs(), factor, firstGuarded);
  AffineYieldOp::create(builder, loop.getLoc(), carried);
  loop->replaceAllUsesWith(unrolled.getResults());
  loop.erase();
}

/// As many copies as the loop has iterations at most, and no loop.
void unrollAll(AffineForOp loop, int64_t most, int64_t firstGuarded) {
  OpBuilder builder(loop);
  Value zero = arith::ConstantIndexOp::create(builder, loop.getLoc(), 0);
  SmallVector<Value> carried =
      cloneIterations(builder, loop, Bounds(loop), zero, loop.getInits(), most, firstGuarded);
  loop->replaceAllUsesWith(carried);
  loop.erase();
}

struct UnrollLoops : LoopPass<impl::HlsUnrollLoopsBase<UnrollLoops>> {
  using LoopPass::LoopPass;

  /// Remainders become a loop after this one.
  LogicalResult unrollWithRemainder(AffineForOp loop, uint64_t factor) {
    if (failed(splitRemainder(loop, int64_t(factor))))
      return loop.emitError("cannot be unrolled ")
             << factor << " times with a remainder after it, as its bounds are minima or maxima: "
             << "unroll its inner loops first, or this one completely";
    if (loop.getNumIterOperands() == 0)
      return loopUnrollByFactor(loop, factor);
    unrollBy(loop, int64_t(factor), /*firstGuarded=*/int64_t(factor));
    return success();
  }

  /// Upstream's unrolling takes a carried value that is yielded at another position for that of
  /// the first copy.
  LogicalResult unrollCompletely(AffineForOp loop, int64_t trip) {
    if (loop.getNumIterOperands() == 0)
      return loopUnrollFull(loop);
    unrollAll(loop, trip, /*firstGuarded=*/trip);
    return success();
  }

  LogicalResult unroll(AffineForOp loop, uint64_t factor) {
    if (factor == 1)
      return success();
    if (failed(normalizeAffineFor(loop)))
      return loop.emitError("has a lower bound that is a maximum, expected one expression: "
                            "normalise or split the loop before it is unrolled");
    std::optional<uint64_t> trip = getConstantTripCount(loop);
    std::optional<int64_t> most = largestTripCount(loop);
    if (factor == 0 && !most)
      return loop.emitError("cannot be unrolled completely: nothing bounds its trip count");
    bool isComplete = factor == 0 || (most && factor >= uint64_t(*most));
    if (failed(checkUnrolledSize(loop, isComplete ? uint64_t(*most) : factor)))
      return failure();
    bool isInnermost = loop.getOps<AffineForOp>().empty();
    ++unrolled;
    if (isComplete && trip && *trip > 0)
      return unrollCompletely(loop, int64_t(*trip));
    if (!isComplete && ((trip && *trip % factor == 0) || !isInnermost))
      return unrollWithRemainder(loop, factor);
    if (!isInnermost && *most > 0)
      return loop.emitError("cannot be unrolled completely, as its trip count varies and there are "
                            "loops inside: unroll these first");
    if (isComplete)
      unrollAll(loop, *most, /*firstGuarded=*/0);
    else
      unrollBy(loop, int64_t(factor), /*firstGuarded=*/1);
    return success();
  }

  bool isLocal() const override { return true; }

  void runOnLoops() override {
    FailureOr<SmallVector<SelectedLoop>> selected =
        selectLoops(getOperation(), HlsDialect::unrollName, loops);
    if (failed(selected))
      return signalPassFailure();
    for (const SelectedLoop &entry : *selected)
      if (failed(unroll(entry.loop, entry.factor)))
        return signalPassFailure();
    simplifyIndices(getOperation());
    normalizeSteps();
    simplifyIndices(getOperation());
  }

  void normalizeSteps() {
    getOperation().walk([](AffineForOp loop) {
      if (loop.getStepAsInt() != 1)
        (void)normalizeAffineFor(loop);
    });
  }
};
} // namespace

} // namespace spindle::hls
