#include "dialects/hls/OpenLoops.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using affine::AffineForOp;
using affine::AffineIfOp;

namespace spindle::hls {

namespace {

/// A condition and which of its branches runs.
struct Guard {
  Operation *branch; // affine.if or scf.if that holds the condition
  bool isThen;
};

/// A new condition: `active` runs where the guard holds, `idle` elsewhere. Both still lack their
/// yields where there are results.
struct Branches {
  Operation *op;
  Block *active, *idle;
};

/// Divides conditions at the loops they hold: the condition goes into the loop, around what the
/// loop repeats, and around each group of operations between loops.
class Sinker {
public:
  explicit Sinker(MLIRContext *context) : rewriter(context) {}

  void divide(Operation *branch);

private:
  Branches create(Guard guard, TypeRange results, Location location);
  void yield(Block *block, ValueRange values, Location location);
  void moveOut(Guard guard, Block *block);
  void flush(Guard guard, SmallVector<Operation *> &group);
  void wrap(Guard guard, AffineForOp loop);
  SmallVector<Value> choose(Operation *branch, ValueRange then, ValueRange otherwise);

  IRRewriter rewriter;
};

} // namespace

Branches Sinker::create(Guard guard, TypeRange results, Location location) {
  // An alternative is needed for results, and for what the opposite of the condition guards.
  bool hasElse = !results.empty() || !guard.isThen;
  Branches made;
  if (auto affineIf = dyn_cast<AffineIfOp>(guard.branch)) {
    auto op = AffineIfOp::create(rewriter, location, results, affineIf.getIntegerSet(),
                                 affineIf.getOperands(), hasElse);
    made = {op, op.getThenBlock(), hasElse ? op.getElseBlock() : nullptr};
  } else {
    Value condition = cast<scf::IfOp>(guard.branch).getCondition();
    auto op = scf::IfOp::create(rewriter, location, results, condition, /*addThenBlock=*/true,
                                /*addElseBlock=*/hasElse);
    made = {op, op.thenBlock(), hasElse ? op.elseBlock() : nullptr};
    if (results.empty()) {
      for (Block *block : {made.active, made.idle})
        if (block && block->empty())
          yield(block, {}, location);
    }
  }
  if (!guard.isThen)
    std::swap(made.active, made.idle);
  return made;
}

void Sinker::yield(Block *block, ValueRange values, Location location) {
  OpBuilder::InsertionGuard keep(rewriter);
  rewriter.setInsertionPointToEnd(block);
  if (isa<AffineIfOp, AffineForOp>(block->getParentOp()))
    affine::AffineYieldOp::create(rewriter, location, values);
  else
    scf::YieldOp::create(rewriter, location, values);
}

/// Puts a group of operations, which stand in order, after the guard, before the condition.
void Sinker::flush(Guard guard, SmallVector<Operation *> &group) {
  if (group.empty())
    return;
  llvm::SmallPtrSet<Operation *, 16> inside(group.begin(), group.end());
  auto isInside = [&](Operation *user) {
    return llvm::any_of(inside, [user](Operation *op) { return op->isAncestor(user); });
  };
  SmallVector<Value> escaping;
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        escaping.push_back(result);
  Location location = group.front()->getLoc();
  rewriter.setInsertionPoint(guard.branch);
  Branches made = create(guard, ValueRange(escaping).getTypes(), location);
  for (Operation *op : group) {
    if (escaping.empty())
      rewriter.moveOpBefore(op, made.active->getTerminator());
    else
      rewriter.moveOpBefore(op, made.active, made.active->end());
  }
  group.clear();
  if (escaping.empty())
    return;
  rewriter.setInsertionPointToEnd(made.idle);
  SmallVector<Value> zeros;
  for (Value value : escaping)
    zeros.push_back(
        arith::ConstantOp::create(rewriter, location, rewriter.getZeroAttr(value.getType())));
  for (auto [value, result] : llvm::zip(escaping, made.op->getResults()))
    rewriter.replaceUsesWithIf(
        value, result, [&](OpOperand &use) { return !made.op->isAncestor(use.getOwner()); });
  yield(made.active, escaping, location);
  yield(made.idle, zeros, location);
}

/// What the loop repeats goes after the guard; iterations it keeps from running hand on what they
/// were given.
void Sinker::wrap(Guard guard, AffineForOp loop) {
  Block *body = loop.getBody();
  auto inner = dyn_cast<AffineForOp>(body->front());
  bool isPerfect = inner && inner->getNextNode() == body->getTerminator() &&
                   llvm::equal(inner.getInits(), loop.getRegionIterArgs()) &&
                   llvm::equal(inner.getResults(), body->getTerminator()->getOperands());
  if (isPerfect)
    return wrap(guard, inner);
  Operation *end = body->getTerminator();
  SmallVector<Operation *> repeated;
  for (Operation &op : body->without_terminator())
    repeated.push_back(&op);
  if (repeated.empty())
    return;
  rewriter.setInsertionPointToStart(body);
  Branches made = create(guard, end->getOperandTypes(), loop.getLoc());
  bool hasResults = end->getNumOperands() > 0;
  for (Operation *op : repeated) {
    if (hasResults)
      rewriter.moveOpBefore(op, made.active, made.active->end());
    else
      rewriter.moveOpBefore(op, made.active->getTerminator());
  }
  if (hasResults) {
    yield(made.active, end->getOperands(), loop.getLoc());
    yield(made.idle, loop.getRegionIterArgs(), loop.getLoc());
    rewriter.modifyOpInPlace(end, [&] { end->setOperands(made.op->getResults()); });
  }
  if (holdsLoop(made.op))
    divide(made.op);
}

void Sinker::moveOut(Guard guard, Block *block) {
  SmallVector<Operation *> group;
  auto isOutside = [&](Value operand) { return operand.getParentBlock() != block; };
  for (Operation &op : llvm::make_early_inc_range(block->without_terminator())) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      flush(guard, group);
      rewriter.moveOpBefore(loop, guard.branch);
      wrap(guard, loop);
    } else if (isPure(&op) && op.getNumRegions() == 0 &&
               llvm::all_of(op.getOperands(), isOutside)) {
      rewriter.moveOpBefore(&op, guard.branch);
    } else {
      group.push_back(&op);
    }
  }
  flush(guard, group);
}

/// The results of a branch from the values of both sides.
SmallVector<Value> Sinker::choose(Operation *branch, ValueRange then, ValueRange otherwise) {
  SmallVector<Value> chosen;
  if (then.empty())
    return chosen;
  rewriter.setInsertionPoint(branch);
  Branches made = create({branch, true}, then.getTypes(), branch->getLoc());
  yield(made.active, then, branch->getLoc());
  yield(made.idle, otherwise, branch->getLoc());
  return SmallVector<Value>(made.op->getResults());
}

void Sinker::divide(Operation *branch) {
  SmallVector<Value> values[2];
  for (unsigned side : {0, 1}) {
    Region &region = branch->getRegion(side);
    if (region.empty())
      continue;
    moveOut({branch, side == 0}, &region.front());
    values[side].assign(region.front().getTerminator()->getOperands().begin(),
                        region.front().getTerminator()->getOperands().end());
  }
  rewriter.replaceOp(branch, choose(branch, values[0], values[1]));
}

LogicalResult sinkConditions(func::FuncOp top) {
  SmallVector<Operation *> branches;
  top.walk([&](Operation *op) { // inner ones first
    if (isa<AffineIfOp, scf::IfOp>(op) && holdsLoop(op))
      branches.push_back(op);
  });
  Sinker sinker(top.getContext());
  for (Operation *branch : branches)
    sinker.divide(branch);
  return success();
}

} // namespace spindle::hls
