#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle::hls {

namespace {
/// A conjunction of expression >= 0 (== 0 where `isEquality`), or the opposite of one.
struct Condition {
  SmallVector<AffineExpr> expressions;
  SmallVector<bool> isEquality;
  bool isOpposite = false;

  bool isInequality() const { return expressions.size() == 1 && !isEquality[0]; }
  void invert() {
    if (isInequality() && !isOpposite)
      expressions[0] = -expressions[0] - 1;
    else
      isOpposite = !isOpposite;
  }
};
} // namespace

static std::optional<Condition> conditionOf(Value value, IndexExpressions &indices);

static std::optional<Condition> conditionOf(arith::CmpIOp compare, IndexExpressions &indices) {
  using arith::CmpIPredicate;
  std::optional<AffineExpr> left = indices.of(compare.getLhs());
  std::optional<AffineExpr> right = indices.of(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  bool isNatural =
      integerRangeOf(compare.getLhs()).least >= 0 && integerRangeOf(compare.getRhs()).least >= 0;
  switch (compare.getPredicate()) {
  case CmpIPredicate::eq:
    return Condition{{*left - *right}, {true}};
  case CmpIPredicate::ne:
    return Condition{{*left - *right}, {true}, true};
  case CmpIPredicate::ult:
    if (!isNatural)
      return std::nullopt;
    [[fallthrough]];
  case CmpIPredicate::slt:
    return Condition{{*right - *left - 1}, {false}};
  case CmpIPredicate::ule:
    if (!isNatural)
      return std::nullopt;
    [[fallthrough]];
  case CmpIPredicate::sle:
    return Condition{{*right - *left}, {false}};
  case CmpIPredicate::ugt:
    if (!isNatural)
      return std::nullopt;
    [[fallthrough]];
  case CmpIPredicate::sgt:
    return Condition{{*left - *right - 1}, {false}};
  case CmpIPredicate::uge:
    if (!isNatural)
      return std::nullopt;
    [[fallthrough]];
  case CmpIPredicate::sge:
    return Condition{{*left - *right}, {false}};
  }
  return std::nullopt;
}

/// Both conditions; `a or b` is the opposite of `not a and not b`.
static std::optional<Condition> combine(Operation *op, bool isAnd, IndexExpressions &indices) {
  std::optional<Condition> a = conditionOf(op->getOperand(0), indices);
  std::optional<Condition> b = conditionOf(op->getOperand(1), indices);
  if (!a || !b)
    return std::nullopt;
  if (!isAnd) {
    a->invert();
    b->invert();
  }
  if (a->isOpposite || b->isOpposite)
    return std::nullopt;
  a->expressions.append(b->expressions);
  a->isEquality.append(b->isEquality);
  a->isOpposite = !isAnd;
  return a;
}

static std::optional<Condition> conditionOf(Value value, IndexExpressions &indices) {
  Operation *op = value.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return conditionOf(compare, indices);
  if (isa_and_nonnull<arith::AndIOp>(op))
    return combine(op, true, indices);
  if (isa_and_nonnull<arith::OrIOp>(op))
    return combine(op, false, indices);
  if (isa_and_nonnull<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One())) {
    std::optional<Condition> condition = conditionOf(op->getOperand(0), indices);
    if (condition)
      condition->invert();
    return condition;
  }
  return std::nullopt;
}

/// Moves the operations of a branch; an absent branch leaves an empty one.
static void moveBranch(Region &from, Block *to, IRRewriter &rewriter) {
  if (from.empty())
    return;
  if (!to->empty())
    rewriter.eraseOp(&to->back());
  rewriter.mergeBlocks(&from.front(), to);
  Operation *yield = to->getTerminator();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<affine::AffineYieldOp>(yield, yield->getOperands());
}

static void raise(scf::IfOp branch, IRRewriter &rewriter) {
  IndexExpressions indices(branch.getContext());
  std::optional<Condition> condition = conditionOf(branch.getCondition(), indices);
  if (!condition)
    return;
  IntegerSet set = IntegerSet::get(indices.dimCount(), indices.symbolCount(),
                                   condition->expressions, condition->isEquality);
  SmallVector<Value> operands = indices.operands();
  affine::canonicalizeSetAndOperands(&set, &operands);
  rewriter.setInsertionPoint(branch);
  bool hasElse = condition->isOpposite || !branch.getElseRegion().empty();
  auto raised = affine::AffineIfOp::create(rewriter, branch.getLoc(), branch.getResultTypes(), set,
                                           operands, hasElse);
  Region *first = &branch.getThenRegion(), *second = &branch.getElseRegion();
  if (condition->isOpposite)
    std::swap(first, second);
  moveBranch(*first, raised.getThenBlock(), rewriter);
  if (hasElse)
    moveBranch(*second, raised.getElseBlock(), rewriter);
  rewriter.replaceOp(branch, raised.getResults());
}

LogicalResult raiseConditions(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  SmallVector<scf::IfOp> branches;
  top.walk([&](scf::IfOp branch) { branches.push_back(branch); });
  for (scf::IfOp branch : branches)
    raise(branch, rewriter);
  return success();
}

} // namespace spindle::hls
