// Loops that data end: what is left of scf.for and scf.while when bounds have become affine where
// they are.
#include "dialects/hls/Hls.h"
#include "dialects/hls/OpenLoops.h"
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/control/LoopForm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle::hls {

/// A bound as an index.
static Value asIndex(scf::ForOp loop, Value bound, OpBuilder &builder) {
  if (bound.getType().isIndex())
    return bound;
  return arith::IndexCastOp::create(builder, loop.getLoc(), builder.getIndexType(), bound);
}

/// Counts over indices, comparing signed numbers.
static void countIndices(scf::ForOp loop, IRRewriter &rewriter) {
  loop.setUnsignedCmp(false);
  Type type = loop.getInductionVar().getType();
  if (type.isIndex())
    return;
  rewriter.setInsertionPoint(loop);
  Location location = loop.getLoc();
  Value one = arith::ConstantIndexOp::create(rewriter, location, 1);
  Value from = asIndex(loop, loop.getLowerBound(), rewriter);
  Value to = asIndex(loop, loop.getUpperBound(), rewriter);
  auto counted = scf::ForOp::create(rewriter, location, from, to, one, loop.getInitArgs());
  counted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = counted.getBody();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  rewriter.setInsertionPointToStart(body);
  SmallVector<Value> arguments = {
      arith::IndexCastOp::create(rewriter, location, type, counted.getInductionVar())};
  llvm::append_range(arguments, counted.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), body, arguments);
  rewriter.replaceOp(loop, counted.getResults());
}

/// A loop of any step or order goes on while its counter, which is carried, lies below the end: no
/// division.
static void countUp(scf::ForOp loop, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(loop);
  Location location = loop.getLoc();
  SmallVector<Value> inits = {loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  Value end = loop.getUpperBound(), step = loop.getStep();
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  auto open = scf::WhileOp::create(
      rewriter, location, ValueRange(inits).getTypes(), inits,
      [&](OpBuilder &builder, Location at, ValueRange carried) {
        Value isBelow = arith::CmpIOp::create(builder, at, predicate, carried.front(), end);
        scf::ConditionOp::create(builder, at, isBelow, carried);
      },
      [&](OpBuilder &, Location, ValueRange) {});
  open->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  open->removeDiscardableAttr(HlsDialect::independentName); // a while loop keeps its order
  Block *body = open.getAfterBody();
  rewriter.mergeBlocks(loop.getBody(), body, body->getArguments());
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next = {arith::AddIOp::create(rewriter, location, body->getArgument(0), step)};
  llvm::append_range(next, yield->getOperands());
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, next);
  rewriter.replaceOp(loop, open.getResults().drop_front());
}

/// The condition of a branch as a bit.
static Value bitOf(Operation *branch, IRRewriter &rewriter) {
  if (auto plain = dyn_cast<scf::IfOp>(branch))
    return plain.getCondition();
  auto affineIf = cast<affine::AffineIfOp>(branch);
  Location location = branch->getLoc();
  auto bit = affine::AffineIfOp::create(rewriter, location, rewriter.getI1Type(),
                                        affineIf.getIntegerSet(), affineIf.getOperands(), true);
  for (bool isThen : {true, false}) {
    OpBuilder inside = isThen ? bit.getThenBodyBuilder() : bit.getElseBodyBuilder();
    Value value = arith::ConstantIntOp::create(inside, location, isThen, 1);
    affine::AffineYieldOp::create(inside, location, value);
  }
  return bit.getResult(0);
}

/// One side of a branch as a loop of one iteration, or none.
static scf::ForOp runIf(Value holds, Region &side, ValueRange results, Location location,
                        IRRewriter &rewriter) {
  Value zero = arith::ConstantIndexOp::create(rewriter, location, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, location, 1);
  Value count = arith::SelectOp::create(rewriter, location, holds, one, zero);
  auto loop = scf::ForOp::create(rewriter, location, zero, count, one, results);
  Block *body = loop.getBody();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  rewriter.mergeBlocks(&side.front(), body);
  Operation *yield = body->getTerminator();
  OpBuilder::InsertionGuard keep(rewriter);
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield->getOperands());
  return loop;
}

/// A condition around loops that data end becomes two of them, each with one iteration at most.
static void openBranch(Operation *branch, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(branch);
  Location location = branch->getLoc();
  SmallVector<Value> results;
  for (Type type : branch->getResultTypes())
    results.push_back(arith::ConstantOp::create(rewriter, location, rewriter.getZeroAttr(type)));
  Value holds = bitOf(branch, rewriter);
  Value fails = arith::XOrIOp::create(rewriter, location, holds,
                                      arith::ConstantIntOp::create(rewriter, location, 1, 1));
  for (unsigned side : {0, 1}) {
    Region &region = branch->getRegion(side);
    if (region.empty())
      continue;
    scf::ForOp loop = runIf(side == 0 ? holds : fails, region, results, location, rewriter);
    results.assign(loop.getResults().begin(), loop.getResults().end());
  }
  rewriter.replaceOp(branch, results);
}

LogicalResult lowerOpenLoops(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  SmallVector<scf::ForOp> loops;
  top.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    if (matchPattern(loop.getStep(), m_One()) && canCompareSigned(loop))
      countIndices(loop, rewriter);
    else
      countUp(loop, rewriter);
  }
  SmallVector<Operation *> branches;
  top.walk([&](Operation *op) {
    if (isa<affine::AffineIfOp, scf::IfOp>(op) && holdsOpenLoop(op))
      branches.push_back(op);
  });
  for (Operation *branch : branches)
    openBranch(branch, rewriter);
  return success();
}

} // namespace spindle::hls
