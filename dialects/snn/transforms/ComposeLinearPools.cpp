// A scale beside an average pooling moves to the side where it can be merged.
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

/// Whether pooling and scaling by these values may change places: the same factor for a whole
/// window, and padding zeros that the bias would not reach are not counted.
static bool commutes(AvgPool2dOp pool, const ScaleValues &values) {
  bool padded = llvm::any_of(pool.getPadding(), [](int64_t pad) { return pad > 0; });
  return int64_t(values.factor.size()) == shapeOf(pool.getInput())[0] &&
         (!values.hasBias() || !padded || !pool.getCountIncludePad());
}

static AvgPool2dOp poolOf(PatternRewriter &rewriter, AvgPool2dOp pool, Value input) {
  auto moved = cast<AvgPool2dOp>(rewriter.clone(*pool));
  rewriter.modifyOpInPlace(moved, [&] {
    moved.getInputMutable().assign(input);
    moved.getOutput().setType(synapseResult(input.getType(), shapeOf(pool.getOutput())));
  });
  return moved;
}

namespace {

/// scale(pool(conv)) becomes pool(scale(conv)).
struct HoistScaleAbovePool : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    auto pool = scale.getInput().getDefiningOp<AvgPool2dOp>();
    if (!pool || !pool->hasOneUse() || !takesScale(pool.getInput()))
      return failure();
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values) || !commutes(pool, *values))
      return failure();
    ScaleOp hoisted =
        makeScale(rewriter, scale.getLoc(), pool.getInput(), *values, scale.getLayerAttr());
    rewriter.replaceOp(scale, poolOf(rewriter, pool, hoisted.getOutput()));
    rewriter.eraseOp(pool); // a second use of the scaled value would keep it from being merged
    return success();
  }
};

/// pool(scale(x)) becomes scale(pool(x)) where x cannot take the scale: it travels on to the next
/// weights.
struct SinkScaleBelowPool : OpRewritePattern<AvgPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AvgPool2dOp pool, PatternRewriter &rewriter) const override {
    auto scale = pool.getInput().getDefiningOp<ScaleOp>();
    if (!scale || !scale->hasOneUse() || takesScale(scale.getInput()))
      return failure();
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values) || !commutes(pool, *values))
      return failure();
    AvgPool2dOp moved = poolOf(rewriter, pool, scale.getInput());
    rewriter.replaceOp(pool, makeScale(rewriter, scale.getLoc(), moved.getOutput(), *values,
                                       scale.getLayerAttr()));
    return success();
  }
};

} // namespace

void addPoolPatterns(RewritePatternSet &patterns) {
  patterns.add<HoistScaleAbovePool, SinkScaleBelowPool>(patterns.getContext());
}

} // namespace spindle::snn
