#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle::hls {

/// One loop per dimension, ascending, the partial results in iteration arguments.
static void serialize(affine::AffineParallelOp parallel, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(parallel);
  Location location = parallel.getLoc();
  SmallVector<arith::AtomicRMWKind> kinds;
  SmallVector<Value> carried;
  for (Attribute kind : parallel.getReductions()) {
    kinds.push_back(cast<arith::AtomicRMWKindAttr>(kind).getValue());
    carried.push_back(arith::getIdentityValue(
        kinds.back(), parallel.getResult(carried.size()).getType(), rewriter, location));
  }
  IRMapping values;
  affine::AffineForOp outermost;
  for (unsigned dim = 0; dim < parallel.getNumDims(); ++dim) {
    auto loop = affine::AffineForOp::create(
        rewriter, location, parallel.getLowerBoundsOperands(), parallel.getLowerBoundMap(dim),
        parallel.getUpperBoundsOperands(), parallel.getUpperBoundMap(dim), parallel.getSteps()[dim],
        carried);
    values.map(parallel.getIVs()[dim], loop.getInductionVar());
    if (outermost && !carried.empty())
      affine::AffineYieldOp::create(rewriter, location, loop.getResults());
    if (!outermost)
      outermost = loop;
    carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  SmallVector<Value> yielded;
  for (Operation &op : parallel.getBody()->without_terminator())
    rewriter.clone(op, values);
  Operation *end = parallel.getBody()->getTerminator();
  for (auto [kind, value, partial] : llvm::zip(kinds, end->getOperands(), carried))
    yielded.push_back(
        arith::getReductionOp(kind, rewriter, location, partial, values.lookupOrDefault(value)));
  if (!yielded.empty())
    affine::AffineYieldOp::create(rewriter, location, yielded);
  rewriter.replaceOp(parallel, outermost.getResults());
}

/// The same for scf.parallel; its reductions say in a region how two partial results combine.
static void serialize(scf::ParallelOp parallel, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(parallel);
  Location location = parallel.getLoc();
  SmallVector<Value> carried(parallel.getInitVals());
  IRMapping values;
  scf::ForOp outermost;
  for (auto [lower, upper, step, variable] :
       llvm::zip(parallel.getLowerBound(), parallel.getUpperBound(), parallel.getStep(),
                 parallel.getInductionVars())) {
    auto loop = scf::ForOp::create(rewriter, location, lower, upper, step, carried);
    values.map(variable, loop.getInductionVar());
    if (outermost && !carried.empty())
      scf::YieldOp::create(rewriter, location, loop.getResults());
    if (!outermost)
      outermost = loop;
    carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  for (Operation &op : parallel.getBody()->without_terminator())
    rewriter.clone(op, values);
  auto end = cast<scf::ReduceOp>(parallel.getBody()->getTerminator());
  SmallVector<Value> yielded;
  for (auto [region, value, partial] : llvm::zip(end.getReductions(), end.getOperands(), carried)) {
    Block &combine = region.front();
    values.map(combine.getArgument(0), partial);
    values.map(combine.getArgument(1), values.lookupOrDefault(value));
    for (Operation &op : combine.without_terminator())
      rewriter.clone(op, values);
    yielded.push_back(values.lookupOrDefault(combine.getTerminator()->getOperand(0)));
  }
  if (!yielded.empty())
    scf::YieldOp::create(rewriter, location, yielded);
  rewriter.replaceOp(parallel, outermost.getResults());
}

/// One iteration after the other, nobody comes between the load and the store. What an update gives
/// is not used: documents and compilers disagree on whether it is the old or the new word.
static LogicalResult updateInOrder(Operation *op, IRRewriter &rewriter) {
  if (!op->use_empty())
    return op->emitError() << "the result of " << op->getName().getStringRef()
                           << " is used, expected a load of the word before or after it";
  rewriter.setInsertionPoint(op);
  Location location = op->getLoc();
  auto load = [&](Value array, ValueRange indices) -> Value {
    return memref::LoadOp::create(rewriter, location, array, indices);
  };
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
    Value next = update.getValue();
    if (update.getKind() != arith::AtomicRMWKind::assign)
      next = arith::getReductionOp(update.getKind(), rewriter, location,
                                   load(update.getMemref(), update.getIndices()), next);
    if (next)
      memref::StoreOp::create(rewriter, location, next, update.getMemref(), update.getIndices());
  } else {
    auto generic = cast<memref::GenericAtomicRMWOp>(op);
    IRMapping values;
    values.map(generic.getCurrentValue(), load(generic.getMemref(), generic.getIndices()));
    for (Operation &inner : generic.getBody()->without_terminator())
      rewriter.clone(inner, values);
    Value next = values.lookupOrDefault(generic.getBody()->getTerminator()->getOperand(0));
    memref::StoreOp::create(rewriter, location, next, generic.getMemref(), generic.getIndices());
  }
  rewriter.eraseOp(op);
  return success();
}

LogicalResult serializeLoops(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  SmallVector<Operation *> updates, hints;
  top.walk([&](Operation *op) {
    if (isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op))
      updates.push_back(op);
    else if (isa<cf::AssertOp, affine::AffinePrefetchOp, memref::PrefetchOp>(op))
      hints.push_back(op); // assertions are promises, as in the golden program
  });
  for (Operation *hint : hints)
    rewriter.eraseOp(hint);
  for (Operation *update : updates)
    if (failed(updateInOrder(update, rewriter)))
      return failure();
  SmallVector<Operation *> loops;
  top.walk([&](Operation *op) { // inner ones first
    auto parallel = dyn_cast<affine::AffineParallelOp>(op);
    if (isa<scf::ParallelOp>(op) || (parallel && parallel.getNumDims() > 0))
      loops.push_back(op);
  });
  for (Operation *loop : loops) {
    if (auto parallel = dyn_cast<affine::AffineParallelOp>(loop))
      serialize(parallel, rewriter);
    else
      serialize(cast<scf::ParallelOp>(loop), rewriter);
  }
  return success();
}

} // namespace spindle::hls
