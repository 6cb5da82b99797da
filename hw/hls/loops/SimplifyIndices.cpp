#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

void compose(AffineMap &map, SmallVector<Value> &operands) {
  fullyComposeAffineMapAndOperands(&map, &operands);
  canonicalizeMapAndOperands(&map, &operands);
  map = simplifyAffineMap(map);
  canonicalizeMapAndOperands(&map, &operands);
}

/// Loads and stores: operands before the indices stay.
void composeAccess(Operation *op, AffineMap map, OperandRange indices) {
  SmallVector<Value> operands(indices);
  SmallVector<Value> before(op->getOperands().drop_back(indices.size()));
  compose(map, operands);
  op->setAttr(AffineLoadOp::getMapAttrStrName(), AffineMapAttr::get(map));
  llvm::append_range(before, operands);
  op->setOperands(before);
}

void composeBounds(AffineForOp loop) {
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  SmallVector<Value> lowerOperands(loop.getLowerBoundOperands());
  SmallVector<Value> upperOperands(loop.getUpperBoundOperands());
  compose(lower, lowerOperands);
  compose(upper, upperOperands);
  loop.setLowerBound(lowerOperands, removeDuplicateExprs(lower));
  loop.setUpperBound(upperOperands, removeDuplicateExprs(upper));
}

/// What reads a bare operand or number reads it itself.
void composeApply(AffineApplyOp op) {
  if (op->use_empty())
    return;
  AffineMap map = op.getAffineMap();
  SmallVector<Value> operands(op.getMapOperands());
  compose(map, operands);
  OpBuilder builder(op);
  AffineExpr result = map.getResult(0);
  if (isa<AffineDimExpr, AffineSymbolExpr>(result)) {
    op->replaceAllUsesWith(ValueRange(operands.front()));
  } else if (auto number = dyn_cast<AffineConstantExpr>(result)) {
    Value constant = arith::ConstantIndexOp::create(builder, op.getLoc(), number.getValue());
    op->replaceAllUsesWith(ValueRange(constant));
  } else {
    op.setMap(map);
    op.getMapOperandsMutable().assign(operands);
  }
}

enum class Truth { Always, Never, Depends };

Truth truthOf(AffineExpr expression, bool isEquality, unsigned dimensions, ValueRange operands) {
  IntegerRange range = integerRangeOf(expression, dimensions, operands);
  if (range.most < 0 || (isEquality && range.least > 0))
    return Truth::Never;
  bool holds = isEquality ? range.least == 0 && range.most == 0 : range.least >= 0;
  return holds ? Truth::Always : Truth::Depends;
}

/// Leaves the operations of one branch where the affine.if was.
void takeBranch(AffineIfOp op, bool isTrue) {
  if (!isTrue && !op.hasElse()) {
    op.erase();
    return;
  }
  Block *branch = isTrue ? op.getThenBlock() : op.getElseBlock();
  auto yield = cast<AffineYieldOp>(branch->getTerminator());
  op->replaceAllUsesWith(yield.getOperands());
  yield.erase();
  op->getBlock()->getOperations().splice(op->getIterator(), branch->getOperations());
  op.erase();
}

void composeCondition(AffineIfOp op) {
  IntegerSet set = op.getIntegerSet();
  SmallVector<Value> operands(op.getOperands());
  AffineMap map =
      AffineMap::get(set.getNumDims(), set.getNumSymbols(), set.getConstraints(), op.getContext());
  compose(map, operands);
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  for (auto [constraint, isEquality] : llvm::zip(map.getResults(), set.getEqFlags())) {
    Truth truth = truthOf(constraint, isEquality, map.getNumDims(), operands);
    if (truth == Truth::Never)
      return takeBranch(op, false);
    if (truth == Truth::Always)
      continue;
    constraints.push_back(constraint);
    equalities.push_back(isEquality);
  }
  if (constraints.empty())
    return takeBranch(op, true);
  IntegerSet left = IntegerSet::get(map.getNumDims(), map.getNumSymbols(), constraints, equalities);
  canonicalizeSetAndOperands(&left, &operands);
  op.setConditional(left, operands);
}

/// What the range of the difference says about a comparison of indices.
std::optional<bool> resultOf(arith::CmpIOp op) {
  if (!op.getLhs().getType().isIndex())
    return std::nullopt;
  MLIRContext *context = op.getContext();
  AffineMap map = AffineMap::get(2, 0, getAffineDimExpr(0, context) - getAffineDimExpr(1, context));
  SmallVector<Value> operands{op.getLhs(), op.getRhs()};
  compose(map, operands);
  IntegerRange range = integerRangeOf(map.getResult(0), map.getNumDims(), operands);
  auto known = [](bool always, bool never) {
    return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
  };
  bool isZero = range.least == 0 && range.most == 0;
  bool isOther = range.least > 0 || range.most < 0;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return known(isZero, isOther);
  case arith::CmpIPredicate::ne:
    return known(isOther, isZero);
  case arith::CmpIPredicate::sge:
    return known(range.least >= 0, range.most < 0);
  case arith::CmpIPredicate::sgt:
    return known(range.least > 0, range.most <= 0);
  case arith::CmpIPredicate::sle:
    return known(range.most <= 0, range.least > 0);
  case arith::CmpIPredicate::slt:
    return known(range.most < 0, range.least >= 0);
  default:
    return std::nullopt;
  }
}

/// Selects by a comparison whose result is known become the value that they take.
void foldComparison(arith::CmpIOp op) {
  std::optional<bool> result = resultOf(op);
  if (!result)
    return;
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto select = dyn_cast<arith::SelectOp>(user); select && select.getCondition() == op) {
      select->replaceAllUsesWith(
          ValueRange(*result ? select.getTrueValue() : select.getFalseValue()));
      select.erase();
    }
  OpBuilder builder(op);
  Value constant = arith::ConstantIntOp::create(builder, op.getLoc(), int64_t(*result), 1);
  op->replaceAllUsesWith(ValueRange(constant));
  op.erase();
}
} // namespace

void simplifyIndices(func::FuncOp function) {
  SmallVector<Operation *> operations;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<AffineLoadOp, AffineStoreOp, AffineForOp>(op))
      operations.push_back(op);
  });
  for (Operation *op : operations) {
    if (auto load = dyn_cast<AffineLoadOp>(op))
      composeAccess(op, load.getAffineMap(), load.getMapOperands());
    else if (auto store = dyn_cast<AffineStoreOp>(op))
      composeAccess(op, store.getAffineMap(), store.getMapOperands());
    else
      composeBounds(cast<AffineForOp>(op));
  }
  // Inner conditions first: what an outer one drops has been looked at before.
  function.walk([](AffineIfOp op) { composeCondition(op); });
  SmallVector<AffineApplyOp> applies;
  function.walk([&](AffineApplyOp op) {
    composeApply(op);
    applies.push_back(op);
  });
  SmallVector<arith::CmpIOp> comparisons;
  function.walk([&](arith::CmpIOp op) { comparisons.push_back(op); });
  for (arith::CmpIOp op : comparisons)
    foldComparison(op);
  for (AffineApplyOp op : llvm::reverse(applies))
    if (op->use_empty())
      op.erase();
}

} // namespace spindle::hls
