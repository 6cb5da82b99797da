// Factors and divisors in affine maps and sets: a divisor that is not positive has no meaning, yet
// MLIR folds it to any value, and what is not known is not affine.
#include "dialects/affine/Divisors.h"
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::hls {

namespace {
/// Expressions and the values of their dimensions and symbols.
struct Applied {
  Applied(AffineMap map, ValueRange all)
      : expressions(map.getResults()), dims(all.take_front(map.getNumDims())),
        symbols(all.drop_front(map.getNumDims())) {}
  Applied(IntegerSet set, ValueRange all)
      : expressions(set.getConstraints()), dims(all.take_front(set.getNumDims())),
        symbols(all.drop_front(set.getNumDims())) {}

  ArrayRef<AffineExpr> expressions;
  ValueRange dims, symbols;
};
} // namespace

static SmallVector<Applied> appliedBy(Operation *op) {
  using namespace affine;
  using List = SmallVector<Applied>;
  return llvm::TypeSwitch<Operation *, List>(op)
      .Case([](AffineForOp loop) {
        return List{{loop.getLowerBoundMap(), loop.getLowerBoundOperands()},
                    {loop.getUpperBoundMap(), loop.getUpperBoundOperands()}};
      })
      .Case([](AffineParallelOp loop) {
        return List{{loop.getLowerBoundsMap(), loop.getLowerBoundsOperands()},
                    {loop.getUpperBoundsMap(), loop.getUpperBoundsOperands()}};
      })
      .Case([](AffineIfOp branch) { return List{{branch.getIntegerSet(), branch.getOperands()}}; })
      .Case<AffineMinOp, AffineMaxOp>(
          [](auto extremum) { return List{{extremum.getAffineMap(), extremum->getOperands()}}; })
      .Case<AffineApplyOp, AffineLoadOp, AffineStoreOp, AffinePrefetchOp>(
          [](auto access) { return List{{access.getAffineMap(), access.getMapOperands()}}; })
      .Default([](Operation *) { return List{}; });
}

/// Refuses a divisor whose range, as far as it is known, ends before one.
static LogicalResult checkPositive(Operation *op, AffineBinaryOpExpr division, IntegerRange range) {
  if (range.most >= 1)
    return success();
  InFlightDiagnostic error = op->emitError() << "'" << textOf(division) << "' divides by ";
  if (range.least == range.most)
    error << range.most;
  else
    error << "a number below 1";
  return error << ", expected a positive divisor: correct it, or bind another number";
}

static LogicalResult checkAppliedDivisors(Operation *op) {
  for (const Applied &applied : appliedBy(op)) {
    auto ofValue = [&](AffineBinaryOpExpr division) {
      return checkPositive(op, division,
                           integerRangeOf(division.getRHS(), applied.dims, applied.symbols));
    };
    for (AffineExpr expression : applied.expressions)
      if (failed(checkDivisions(expression, ofValue)))
        return failure();
  }
  return success();
}

LogicalResult checkDivisors(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    return failed(checkAppliedDivisors(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted() || failed(checkConstantDivisors(module)));
}

/// Null for a sum, and for a product, quotient or remainder with a constant.
static AffineBinaryOpExpr findUnknownFactor(AffineExpr expression) {
  AffineBinaryOpExpr found(nullptr);
  expression.walk([&found](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    bool isPure =
        !binary || part.getKind() == AffineExprKind::Add ||
        isa<AffineConstantExpr>(binary.getRHS()) ||
        (part.getKind() == AffineExprKind::Mul && isa<AffineConstantExpr>(binary.getLHS()));
    if (!isPure && !found)
      found = binary;
  });
  return found;
}

LogicalResult checkFactorsKnown(func::FuncOp top) {
  WalkResult result = top.walk<WalkOrder::PreOrder>([](Operation *op) {
    auto check = [op](AffineExpr expression) -> LogicalResult {
      AffineBinaryOpExpr unknown = findUnknownFactor(expression);
      if (!unknown)
        return success();
      const char *verb = unknown.getKind() == AffineExprKind::Mul ? "multiplies" : "divides";
      return op->emitError() << "'" << textOf(unknown) << "' " << verb
                             << " by a number that is not known, expected a constant: bind the "
                                "argument it comes from";
    };
    return failed(checkWrittenExpressions(op, check)) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace spindle::hls
