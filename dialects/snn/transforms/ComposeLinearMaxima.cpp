// Rectifiers and maxima keep the order of values, so both change places with each other and with
// positive scales.
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

/// The factors of a scale by channel where all are positive.
static FailureOr<ScaleValues> positivePerChannel(ScaleOp scale) {
  FailureOr<ScaleValues> values = valuesOf(scale);
  if (failed(values) || int64_t(values->factor.size()) != shapeOf(scale.getInput())[0] ||
      llvm::any_of(values->factor, [](double factor) { return !(factor > 0); }))
    return failure();
  return values;
}

static MaxPool2dOp poolOf(PatternRewriter &rewriter, MaxPool2dOp pool, Value input) {
  auto moved = cast<MaxPool2dOp>(rewriter.clone(*pool));
  rewriter.modifyOpInPlace(moved, [&] { moved.getInputMutable().assign(input); });
  return moved;
}

namespace {

/// relu(max(x)) = max(relu(x)): the maximum is then one of spikes.
struct ReluOfMaxPool : OpRewritePattern<ReluOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReluOp relu, PatternRewriter &rewriter) const override {
    auto pool = relu.getInput().getDefiningOp<MaxPool2dOp>();
    if (!pool || !pool->hasOneUse())
      return failure();
    Value inner =
        ReluOp::create(rewriter, relu.getLoc(), pool.getInput().getType(), pool.getInput(),
                       relu.getMaximumAttr(), relu.getLevelsAttr(), relu.getLayerAttr());
    rewriter.replaceOp(relu, poolOf(rewriter, pool, inner));
    return success();
  }
};

/// A rectifier of a rectified value only lowers its bound.
struct ReluOfRelu : OpRewritePattern<ReluOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReluOp second, PatternRewriter &rewriter) const override {
    auto first = second.getInput().getDefiningOp<ReluOp>();
    if (!first)
      return failure();
    auto boundOf = [](ReluOp relu) {
      return relu.getMaximumAttr() ? relu.getMaximumAttr().getValueAsDouble()
                                   : std::numeric_limits<double>::infinity();
    };
    if (!second.getLevelsAttr() && boundOf(first) <= boundOf(second)) {
      rewriter.replaceOp(second, first.getOutput());
      return success();
    }
    if (first.getLevelsAttr() || boundOf(first) < boundOf(second))
      return failure();
    rewriter.modifyOpInPlace(second, [&] { second.getInputMutable().assign(first.getInput()); });
    return success();
  }
};

/// scale(relu(weights)) becomes relu(scale(weights)) with the bound scaled too: a staircase is
/// trained between a division and a multiplication by its height.
struct HoistScaleAboveRelu : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    auto relu = scale.getInput().getDefiningOp<ReluOp>();
    if (!relu || !relu.getMaximumAttr() || !relu->hasOneUse() || !takesScale(relu.getInput()))
      return failure();
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values) || values->hasBias() || !llvm::all_equal(values->factor) ||
        !(values->factor.front() > 0))
      return failure();
    double maximum = relu.getMaximumAttr().getValueAsDouble() * values->factor.front();
    ScaleOp hoisted =
        makeScale(rewriter, scale.getLoc(), relu.getInput(), *values, scale.getLayerAttr());
    rewriter.replaceOpWithNewOp<ReluOp>(scale, relu.getOutput().getType(), hoisted.getOutput(),
                                        rewriter.getF32FloatAttr(float(maximum)),
                                        relu.getLevelsAttr(), relu.getLayerAttr());
    rewriter.eraseOp(relu);
    return success();
  }
};

/// scale(max(conv)) becomes max(scale(conv)).
struct HoistScaleAboveMaxPool : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    auto pool = scale.getInput().getDefiningOp<MaxPool2dOp>();
    if (!pool || !pool->hasOneUse() || !takesScale(pool.getInput()))
      return failure();
    FailureOr<ScaleValues> values = positivePerChannel(scale);
    if (failed(values))
      return failure();
    ScaleOp hoisted =
        makeScale(rewriter, scale.getLoc(), pool.getInput(), *values, scale.getLayerAttr());
    rewriter.replaceOp(scale, poolOf(rewriter, pool, hoisted.getOutput()));
    rewriter.eraseOp(pool);
    return success();
  }
};

/// max(scale(x)) becomes scale(max(x)) where x cannot take the scale.
struct SinkScaleBelowMaxPool : OpRewritePattern<MaxPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxPool2dOp pool, PatternRewriter &rewriter) const override {
    auto scale = pool.getInput().getDefiningOp<ScaleOp>();
    if (!scale || !scale->hasOneUse() || takesScale(scale.getInput()))
      return failure();
    FailureOr<ScaleValues> values = positivePerChannel(scale);
    if (failed(values))
      return failure();
    MaxPool2dOp moved = poolOf(rewriter, pool, scale.getInput());
    rewriter.replaceOp(pool, makeScale(rewriter, scale.getLoc(), moved.getOutput(), *values,
                                       scale.getLayerAttr()));
    return success();
  }
};

} // namespace

void addMaximumPatterns(RewritePatternSet &patterns) {
  patterns.add<ReluOfMaxPool, ReluOfRelu, HoistScaleAboveRelu, HoistScaleAboveMaxPool,
               SinkScaleBelowMaxPool>(patterns.getContext());
}

} // namespace spindle::snn
