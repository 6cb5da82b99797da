#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace spindle::hls {

/// The body of one iteration: the tensors it shares are carried on from the one before, with the
/// slices that it computes.
static SmallVector<Value> cloneIteration(scf::ForallOp parallel, OpBuilder &builder,
                                         ValueRange variables, ValueRange carried) {
  IRMapping values;
  values.map(parallel.getInductionVars(), variables);
  values.map(parallel.getRegionIterArgs(), carried);
  for (Operation &op : parallel.getBody()->without_terminator())
    builder.clone(op, values);
  SmallVector<Value> next(carried);
  for (Operation &op : parallel.getTerminator().getYieldingOps()) {
    auto slice = cast<tensor::ParallelInsertSliceOp>(op);
    unsigned shared =
        cast<BlockArgument>(slice.getDest()).getArgNumber() - unsigned(parallel.getRank());
    auto inserted = cast<tensor::ParallelInsertSliceOp>(builder.clone(op, values));
    next[shared] = tensor::InsertSliceOp::create(
        builder, op.getLoc(), inserted.getSource(), next[shared], inserted.getMixedOffsets(),
        inserted.getMixedSizes(), inserted.getMixedStrides());
    inserted.erase();
  }
  return next;
}

static void serialize(scf::ForallOp parallel, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(parallel);
  SmallVector<Value> first = parallel.getLowerBound(rewriter),
                     end = parallel.getUpperBound(rewriter), step = parallel.getStep(rewriter);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, parallel.getLoc(), first, end, step, parallel.getOutputs(),
      [&](OpBuilder &builder, Location, ValueRange variables, ValueRange carried) {
        return cloneIteration(parallel, builder, variables, carried);
      });
  rewriter.replaceOp(parallel, nest.results);
}

LogicalResult serializeForall(ModuleOp module) {
  SmallVector<scf::ForallOp> loops;
  WalkResult walk = module.walk([&](scf::ForallOp loop) { // inner ones first
    for (Operation &op : loop.getTerminator().getYieldingOps())
      if (!isa<tensor::ParallelInsertSliceOp>(op)) {
        op.emitError() << op.getName().getStringRef()
                       << " is not supported, expected tensor.parallel_insert_slice";
        return WalkResult::interrupt();
      }
    loops.push_back(loop);
    return WalkResult::advance();
  });
  IRRewriter rewriter(module.getContext());
  for (scf::ForallOp loop : loops)
    if (!walk.wasInterrupted())
      serialize(loop, rewriter);
  return failure(walk.wasInterrupted());
}

} // namespace spindle::hls
