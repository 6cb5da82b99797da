// Simplification of delays: none, of constants, in a row, of one value side by side.
#include "dialects/rtl/Rtl.h"

using namespace mlir;

namespace spindle::rtl {

OpFoldResult DelayOp::fold(FoldAdaptor adaptor) {
  if (getStages() == 0)
    return getInput();
  auto constant = dyn_cast_or_null<IntegerAttr>(adaptor.getInput());
  if (constant && (!getReset() || constant.getValue().isZero()))
    return constant;
  return {};
}

static bool haveSameControls(DelayOp a, DelayOp b) {
  return a.getClock() == b.getClock() && a.getEnable() == b.getEnable() &&
         a.getReset() == b.getReset();
}

/// A delay of a delay that nobody else reads is one delay.
static LogicalResult joinDelays(DelayOp op, PatternRewriter &rewriter) {
  auto inner = op.getInput().getDefiningOp<DelayOp>();
  if (!inner || inner == op || !inner->hasOneUse() || !haveSameControls(op, inner))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.setStages(inner.getStages() + op.getStages());
    op.getInputMutable().assign(inner.getInput());
  });
  return success();
}

/// Delays of one value share their first stages: the longer one continues the next shorter one.
static LogicalResult shareStages(DelayOp op, PatternRewriter &rewriter) {
  DelayOp prefix;
  for (Operation *user : op.getInput().getUsers()) {
    auto other = dyn_cast<DelayOp>(user);
    bool isPrefix = other && other != op && other.getInput() == op.getInput() &&
                    haveSameControls(op, other) && other.getStages() > 0 &&
                    other.getStages() <= op.getStages() && !other->use_empty();
    if (isPrefix && (!prefix || other.getStages() > prefix.getStages()))
      prefix = other;
  }
  if (!prefix)
    return failure();
  if (prefix.getStages() == op.getStages()) {
    rewriter.replaceOp(op, prefix);
    return success();
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.setStages(op.getStages() - prefix.getStages());
    op.getInputMutable().assign(prefix);
  });
  return success();
}

void DelayOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(joinDelays);
  patterns.add(shareStages);
}

} // namespace spindle::rtl
