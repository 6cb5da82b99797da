// Several iterations of an outer loop side by side in the innermost one: a value that they share is
// loaded once, and independent sums fill the pipeline.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/dependence/Independence.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/CarriedDependences.h"
#include "hw/hls/loops/analysis/LoopSelection.h"
#include "hw/hls/loops/unroll/SplitRemainder.h"
#include "hw/hls/loops/unroll/UnrolledSize.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSUNROLLANDJAM
#include "hw/hls/Passes.h.inc"

namespace {

/// The one loop in a body, null where there is none; fails where there are several.
FailureOr<AffineForOp> innerLoop(AffineForOp loop) {
  AffineForOp inner;
  for (AffineForOp candidate : loop.getOps<AffineForOp>()) {
    if (inner)
      return failure();
    inner = candidate;
  }
  return inner;
}

enum class JamOrder { Kept, Reversed };

/// Whether two dependent accesses of one strip stay in their order. Jammed, inner iterations come
/// first, then the position in the body, then i.
JamOrder orderOf(const CarriedDependence &dependence, AffineForOp jammed) {
  bool isInside = false;
  for (const DependenceComponent &component : dependence.components) {
    if (component.op == jammed.getOperation()) {
      isInside = true;
      continue;
    }
    if (!isInside)
      continue;
    if (!component.lb || *component.lb < 0)
      return JamOrder::Reversed;
    if (*component.lb > 0)
      return JamOrder::Kept;
  }
  // Below the innermost common loop: copies of one run of statements stay in the order of i.
  Block *body = cast<AffineForOp>(dependence.components.back().op).getBody();
  Operation *a = body->findAncestorOpInBlock(*dependence.from);
  Operation *b = body->findAncestorOpInBlock(*dependence.to);
  if (a == b || a->isBeforeInBlock(b))
    return JamOrder::Kept;
  for (auto it = Block::iterator(b); it != std::next(Block::iterator(a)); ++it)
    if (isa<AffineForOp>(*it))
      return JamOrder::Reversed;
  return JamOrder::Kept;
}

/// Whether all dependences that `loop` carries within a strip of `factor` iterations survive.
LogicalResult checkJam(AffineForOp loop, uint64_t factor) {
  for (const CarriedDependence &dependence : carriedDependences(loop)) {
    std::optional<int64_t> distance = dependence.least(loop);
    if (distance && *distance >= int64_t(factor))
      continue; // never within a strip
    if (dependence.isKnown() && orderOf(dependence, loop) == JamOrder::Kept)
      continue;
    InFlightDiagnostic error =
        loop.emitError("cannot be unrolled and jammed by ")
        << factor << ": an iteration would run before an earlier one that it depends on";
    error.attachNote(dependence.from->getLoc())
        << (dependence.isKnown() ? "the earlier access" : "the earlier access, as far as known");
    error.attachNote(dependence.to->getLoc()) << "the later access";
    return error;
  }
  return success();
}

/// Copies of the body of one loop for the iterations i + k of the jammed loop.
class Jam {
public:
  Jam(AffineForOp l, uint64_t f) : loop(l), factor(f) {}

  /// Whether inner loops and their bounds allow it; says what does not.
  LogicalResult check() { return checkBounds(loop); }

  /// Rewrites the loop, whose trip count is a multiple of the factor.
  AffineForOp run() {
    OpBuilder builder(loop);
    auto [lower, upper] = std::pair(loop.getLowerBoundMap(), loop.getUpperBoundMap());
    auto jammed = AffineForOp::create(builder, loop.getLoc(), loop.getLowerBoundOperands(), lower,
                                      loop.getUpperBoundOperands(), upper, int64_t(factor));
    for (NamedAttribute attribute : loop->getDiscardableAttrs())
      jammed->setDiscardableAttr(attribute.getName(), attribute.getValue());
    builder.setInsertionPoint(jammed.getBody()->getTerminator());
    std::vector<IRMapping> copies(factor);
    AffineExpr d0 = builder.getAffineDimExpr(0);
    for (uint64_t k = 0; k < factor; ++k) {
      Value iv = jammed.getInductionVar();
      if (k > 0)
        iv = AffineApplyOp::create(builder, loop.getLoc(), AffineMap::get(1, 0, d0 + int64_t(k)),
                                   iv);
      copies[k].map(loop.getInductionVar(), iv);
    }
    copyBody(builder, *loop.getBody(), copies);
    loop.erase();
    return jammed;
  }

private:
  /// Inner bounds may depend on the jammed variable where that makes them grow or shrink
  /// throughout, so that one copy has the least and one the greatest bound.
  LogicalResult checkBounds(AffineForOp outer) {
    FailureOr<AffineForOp> inner = innerLoop(outer);
    if (failed(inner))
      return outer.emitError("cannot be unrolled and jammed: it has several loops side by side "
                             "inside, expected one at most");
    if (!*inner)
      return success();
    auto lower = slope(inner->getLowerBoundMap(), inner->getLowerBoundOperands());
    auto upper = slope(inner->getUpperBoundMap(), inner->getUpperBoundOperands());
    if (!lower || !upper)
      return inner->emitError("cannot be jammed: its bound is no sum of multiples of the variable "
                              "of the loop to unroll");
    if ((*lower != 0 || *upper != 0) && inner->getNumIterOperands() > 0)
      return inner->emitError("cannot be jammed: it carries values and its bounds differ among the "
                              "iterations to join");
    if ((*lower != 0 || *upper != 0) && !inner->getOps<AffineForOp>().empty())
      return inner->emitError(
          "cannot be jammed: its bounds differ among the iterations to join and "
          "there are loops inside");
    return checkBounds(*inner);
  }

  /// How the results of a bound grow with the jammed variable: -1, 0 or 1; none where they differ.
  std::optional<int> slope(AffineMap map, ValueRange operandRange) {
    SmallVector<Value> operands(operandRange);
    fullyComposeAffineMapAndOperands(&map, &operands);
    canonicalizeMapAndOperands(&map, &operands);
    int sign = 0;
    for (unsigned n = 0; n < operands.size(); ++n) {
      if (operands[n] != loop.getInductionVar())
        continue;
      for (AffineExpr result : map.getResults()) {
        AffineExpr variable = getAffineDimExpr(n, map.getContext());
        AffineExpr step = simplifyAffineExpr(result.replace(variable, variable + 1) - result,
                                             map.getNumDims(), map.getNumSymbols());
        auto constant = dyn_cast<AffineConstantExpr>(step);
        if (!constant)
          return std::nullopt;
        int direction = constant.getValue() > 0 ? 1 : constant.getValue() < 0 ? -1 : 0;
        if (direction == 0)
          continue;
        if (sign != 0 && sign != direction)
          return std::nullopt;
        sign = direction;
      }
    }
    return sign;
  }

  void copyBody(OpBuilder &builder, Block &body, std::vector<IRMapping> &copies) {
    SmallVector<Operation *> run; // statements between loops
    auto flush = [&] {
      for (IRMapping &copy : copies)
        for (Operation *op : run)
          builder.clone(*op, copy);
      run.clear();
    };
    for (Operation &op : body.without_terminator()) {
      if (auto inner = dyn_cast<AffineForOp>(op)) {
        flush();
        copyLoop(builder, inner, copies);
      } else {
        run.push_back(&op);
      }
    }
    flush();
  }

  /// The bound of copy k.
  static SmallVector<Value> mapped(OperandRange operands, IRMapping &copy) {
    SmallVector<Value> result;
    for (Value operand : operands)
      result.push_back(copy.lookupOrDefault(operand));
    return result;
  }

  void copyLoop(OpBuilder &builder, AffineForOp inner, std::vector<IRMapping> &copies) {
    int lowerSlope = *slope(inner.getLowerBoundMap(), inner.getLowerBoundOperands());
    int upperSlope = *slope(inner.getUpperBoundMap(), inner.getUpperBoundOperands());
    // The least lower bound and the greatest upper bound of all copies.
    size_t first = lowerSlope < 0 ? factor - 1 : 0, last = upperSlope > 0 ? factor - 1 : 0;
    SmallVector<Value> inits;
    for (IRMapping &copy : copies)
      for (Value init : inner.getInits())
        inits.push_back(copy.lookupOrDefault(init));
    auto joined = AffineForOp::create(
        builder, inner.getLoc(), mapped(inner.getLowerBoundOperands(), copies[first]),
        inner.getLowerBoundMap(), mapped(inner.getUpperBoundOperands(), copies[last]),
        inner.getUpperBoundMap(), inner.getStepAsInt(), inits);
    for (NamedAttribute attribute : inner->getDiscardableAttrs())
      joined->setDiscardableAttr(attribute.getName(), attribute.getValue());
    dropIndependence(joined); // nothing was said of several iterations around it
    unsigned carried = inner.getNumIterOperands();
    for (size_t k = 0; k < factor; ++k) {
      copies[k].map(inner.getInductionVar(), joined.getInductionVar());
      copies[k].map(inner.getRegionIterArgs(),
                    joined.getRegionIterArgs().slice(k * carried, carried));
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(joined.getBody());
    if (carried == 0)
      builder.setInsertionPoint(joined.getBody()->getTerminator());
    if (lowerSlope != 0 || upperSlope != 0)
      copyGuarded(builder, inner, joined.getInductionVar(), copies);
    else
      copyBody(builder, *inner.getBody(), copies);
    SmallVector<Value> yielded;
    for (IRMapping &copy : copies)
      for (Value value : inner.getBody()->getTerminator()->getOperands())
        yielded.push_back(copy.lookupOrDefault(value));
    if (carried > 0)
      AffineYieldOp::create(builder, inner.getLoc(), yielded);
    for (size_t k = 0; k < factor; ++k)
      copies[k].map(inner.getResults(), joined.getResults().slice(k * carried, carried));
  }

  /// Copies of an innermost body, each where its own bounds hold.
  void copyGuarded(OpBuilder &builder, AffineForOp inner, Value iv,
                   std::vector<IRMapping> &copies) {
    AffineMap lower = inner.getLowerBoundMap(), upper = inner.getUpperBoundMap();
    unsigned lowerDims = lower.getNumDims(), upperDims = upper.getNumDims();
    unsigned lowerSymbols = lower.getNumSymbols(), upperSymbols = upper.getNumSymbols();
    AffineExpr index = builder.getAffineDimExpr(0);
    SmallVector<AffineExpr> inside;
    for (AffineExpr result : lower.getResults())
      inside.push_back(index - result.shiftDims(lowerDims, 1));
    for (AffineExpr result : upper.getResults())
      inside.push_back(
          result.shiftDims(upperDims, 1 + lowerDims).shiftSymbols(upperSymbols, lowerSymbols) -
          index - 1);
    IntegerSet set = IntegerSet::get(1 + lowerDims + upperDims, lowerSymbols + upperSymbols, inside,
                                     SmallVector<bool>(inside.size(), false));
    for (IRMapping &copy : copies) {
      SmallVector<Value> ofLower = mapped(inner.getLowerBoundOperands(), copy);
      SmallVector<Value> ofUpper = mapped(inner.getUpperBoundOperands(), copy);
      SmallVector<Value> operands{iv};
      llvm::append_range(operands, ArrayRef(ofLower).take_front(lowerDims));
      llvm::append_range(operands, ArrayRef(ofUpper).take_front(upperDims));
      llvm::append_range(operands, ArrayRef(ofLower).drop_front(lowerDims));
      llvm::append_range(operands, ArrayRef(ofUpper).drop_front(upperDims));
      auto branch = AffineIfOp::create(builder, inner.getLoc(), set, operands,
                                       /*withElseRegion=*/false);
      OpBuilder then = branch.getThenBodyBuilder();
      for (Operation &op : inner.getBody()->without_terminator())
        then.clone(op, copy);
    }
  }

  AffineForOp loop;
  uint64_t factor;
};

struct UnrollAndJam : LoopPass<impl::HlsUnrollAndJamBase<UnrollAndJam>> {
  using LoopPass::LoopPass;

  LogicalResult unrollAndJam(AffineForOp loop, uint64_t factor) {
    if (loop.getNumIterOperands() > 0)
      return loop.emitError("cannot be unrolled and jammed: it carries values from iteration to "
                            "iteration");
    if (failed(normalizeAffineFor(loop)))
      return loop.emitError("has a lower bound that is a maximum, expected one expression: "
                            "normalise or split the loop before it is unrolled and jammed");
    std::optional<uint64_t> trip = getConstantTripCount(loop);
    if (factor == 0 && !trip)
      return loop.emitError("cannot be unrolled and jammed completely: its trip count varies");
    if (trip && (factor == 0 || factor > *trip))
      factor = *trip;
    if (factor < 2)
      return success();
    if (failed(checkUnrolledSize(loop, factor)))
      return failure();
    Jam jam(loop, factor);
    if (failed(jam.check()) || failed(checkJam(loop, factor)))
      return failure();
    if (failed(splitRemainder(loop, int64_t(factor))))
      return loop.emitError("cannot be unrolled and jammed with a remainder, as its upper bound is "
                            "a minimum: tile by a divisor of the trip count");
    ++jammed;
    (void)normalizeAffineFor(jam.run(), /*promoteSingleIter=*/true);
    simplifyIndices(getOperation());
    return success();
  }

  bool isLocal() const override { return true; }

  void runOnLoops() override {
    FailureOr<SmallVector<SelectedLoop>> selected =
        selectLoops(getOperation(), HlsDialect::unrollAndJamName, loops);
    if (failed(selected))
      return signalPassFailure();
    simplifyIndices(getOperation());
    for (const SelectedLoop &entry : *selected)
      if (failed(unrollAndJam(entry.loop, entry.factor)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace spindle::hls
