#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/control/LoopForm.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle::hls {

/// The loop variable in the type that the body has it in.
static Value variableAs(Type type, Value index, OpBuilder &builder, Location location) {
  if (type.isIndex())
    return index;
  return arith::IndexCastOp::create(builder, location, type, index);
}

/// The same loop with affine bounds; null where the bounds are not affine.
static affine::AffineForOp raise(scf::ForOp loop, IRRewriter &rewriter) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return {};
  if (!canCompareSigned(loop))
    return {};
  IndexExpressions from(loop.getContext()), to(loop.getContext());
  auto lower = from.maximumOf(loop.getLowerBound());
  auto upper = to.minimumOf(loop.getUpperBound());
  if (!lower || !upper)
    return {};
  auto [lowerMap, lowerOperands] = from.map(*lower);
  auto [upperMap, upperOperands] = to.map(*upper);
  rewriter.setInsertionPoint(loop);
  auto raised =
      affine::AffineForOp::create(rewriter, loop.getLoc(), lowerOperands, lowerMap, upperOperands,
                                  upperMap, step.getSExtValue(), loop.getInitArgs());
  raised->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = raised.getBody();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  rewriter.setInsertionPointToEnd(body);
  SmallVector<Value> arguments = {variableAs(loop.getInductionVar().getType(),
                                             raised.getInductionVar(), rewriter, loop.getLoc())};
  llvm::append_range(arguments, raised.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), body, arguments);
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<affine::AffineYieldOp>(yield, yield->getOperands());
  rewriter.replaceOp(loop, raised.getResults());
  return raised;
}

/// Outer loops first: their variables stand in the bounds of inner ones.
LogicalResult raiseLoops(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  SmallVector<scf::ForOp> loops;
  top.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    raise(loop, rewriter);
  return success();
}

} // namespace spindle::hls
