// A scale disappears into the weights before or after it.
#include "dialects/snn/Names.h"
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

namespace {

/// factor 1, bias 0.
struct DropIdentityScale : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values) || values->hasBias() ||
        scale.getInput().getType() != scale.getOutput().getType() ||
        llvm::any_of(values->factor, [](double factor) { return factor != 1; }))
      return failure();
    rewriter.replaceOp(scale, scale.getInput());
    return success();
  }
};

/// Values that are equal within channels are stored once per channel; a zero bias is not stored.
struct NarrowScale : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values))
      return failure();
    ScaleValues narrow = *values;
    narrow.narrow(shapeOf(scale.getInput())[0]);
    size_t biasSize = narrow.hasBias() ? narrow.bias.size() : 0;
    if (narrow.factor.size() == size_t(sizeOf(scale.getFactor())) &&
        biasSize == size_t(scale.getBias() ? sizeOf(scale.getBias()) : 0))
      return failure();
    rewriter.replaceOp(
        scale, makeScale(rewriter, scale.getLoc(), scale.getInput(), narrow, scale.getLayerAttr()));
    return success();
  }
};

/// f₂(f₁x + b₁) + b₂
struct ScaleOfScale : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp second, PatternRewriter &rewriter) const override {
    auto first = second.getInput().getDefiningOp<ScaleOp>();
    if (!first)
      return failure();
    FailureOr<ScaleValues> one = valuesOf(first), two = valuesOf(second);
    if (failed(one) || failed(two))
      return failure();
    size_t count = std::max(one->factor.size(), two->factor.size());
    one->expand(count);
    two->expand(count);
    for (size_t i = 0; i < count; ++i) {
      one->bias[i] = two->factor[i] * one->bias[i] + two->bias[i];
      one->factor[i] *= two->factor[i];
    }
    StringAttr layer = second.getLayerAttr() ? second.getLayerAttr() : first.getLayerAttr();
    rewriter.replaceOp(second, makeScale(rewriter, second.getLoc(), first.getInput(), *one, layer));
    return success();
  }
};

/// Scales the rows of the weights. A row belongs to an output of snn.dense, to a filter of
/// snn.conv2d.
template <typename WeightedOp> struct ScaleOfWeights : OpRewritePattern<ScaleOp> {
  using OpRewritePattern<ScaleOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    auto weighted = scale.getInput().getDefiningOp<WeightedOp>();
    if (!weighted || !weighted->hasOneUse())
      return failure();
    size_t rows = shapeOf(weighted.getWeight())[0];
    FailureOr<ScaleValues> values = valuesOf(scale);
    FailureOr<std::vector<float>> weight = constantFloats(weighted.getWeight());
    FailureOr<std::vector<double>> bias = biasOf(weighted.getBias(), rows);
    if (failed(values) || failed(weight) || failed(bias) || values->factor.size() != rows)
      return failure();
    size_t columns = weight->size() / rows;
    for (size_t k = 0; k < weight->size(); ++k)
      (*weight)[k] = float((*weight)[k] * values->factor[k / columns]);
    for (size_t o = 0; o < rows; ++o)
      (*bias)[o] = (*bias)[o] * values->factor[o] + values->bias[o];
    rewriter.setInsertionPoint(weighted);
    Value newWeight =
        makeConstant(rewriter, weighted.getLoc(), shapeOf(weighted.getWeight()), *weight);
    Value newBias = makeBias(rewriter, weighted.getLoc(), *bias);
    rewriter.modifyOpInPlace(weighted, [&] {
      weighted.getWeightMutable().assign(newWeight);
      weighted.getBiasMutable().assign(newBias ? ValueRange(newBias) : ValueRange());
    });
    rewriter.replaceOp(scale, weighted);
    return success();
  }
};

/// Scales the columns of the weights; a flattening between the two changes nothing.
struct DenseOfScale : OpRewritePattern<DenseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DenseOp dense, PatternRewriter &rewriter) const override {
    auto reshape = dense.getInput().getDefiningOp<ReshapeOp>();
    auto scale = (reshape ? reshape.getInput() : dense.getInput()).getDefiningOp<ScaleOp>();
    if (!scale)
      return failure();
    size_t outputs = sizeOf(dense.getOutput()), inputs = sizeOf(dense.getInput());
    FailureOr<ScaleValues> values = valuesOf(scale);
    FailureOr<std::vector<float>> weight = constantFloats(dense.getWeight());
    FailureOr<std::vector<double>> bias = biasOf(dense.getBias(), outputs);
    if (failed(values) || failed(weight) || failed(bias))
      return failure();
    values->expand(inputs);
    for (size_t k = 0; k < weight->size(); ++k) {
      (*bias)[k / inputs] += double((*weight)[k]) * values->bias[k % inputs];
      (*weight)[k] = float((*weight)[k] * values->factor[k % inputs]);
    }
    Value input = scale.getInput();
    if (reshape)
      input = ReshapeOp::create(rewriter, reshape.getLoc(),
                                withShape(input.getType(), shapeOf(dense.getInput())), input);
    Value offsets = makeBias(rewriter, dense.getLoc(), *bias);
    Value weights = makeConstant(rewriter, dense.getLoc(), shapeOf(dense.getWeight()), *weight);
    auto made = DenseOp::create(rewriter, dense.getLoc(), dense.getOutput().getType(), input,
                                weights, offsets, dense.getLayerAttr());
    keepSynapseKind(made, {dense});
    rewriter.replaceOp(dense, made);
    return success();
  }
};

/// Scales the channels that filters read. The padding is zero after the scale, so a bias of the
/// scale does not reach it: such a pair is only merged where there is no padding.
struct ConvOfScale : OpRewritePattern<Conv2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv2dOp conv, PatternRewriter &rewriter) const override {
    auto scale = conv.getInput().getDefiningOp<ScaleOp>();
    if (!scale)
      return failure();
    ArrayRef<int64_t> shape = shapeOf(conv.getWeight());
    int64_t channels = shapeOf(conv.getInput())[0], filters = shape[0];
    FailureOr<ScaleValues> values = valuesOf(scale);
    FailureOr<std::vector<float>> weight = constantFloats(conv.getWeight());
    FailureOr<std::vector<double>> bias = biasOf(conv.getBias(), filters);
    if (failed(values) || failed(weight) || failed(bias) ||
        int64_t(values->factor.size()) != channels)
      return failure();
    if (values->hasBias() && llvm::any_of(conv.getPadding(), [](int64_t pad) { return pad > 0; }))
      return failure();
    int64_t kernel = shape[2] * shape[3], filtersPerGroup = filters / int64_t(conv.getGroups());
    for (int64_t k = 0; k < int64_t(weight->size()); ++k) {
      int64_t filter = k / (kernel * shape[1]);
      int64_t channel = filter / filtersPerGroup * shape[1] + k / kernel % shape[1];
      (*bias)[filter] += double((*weight)[k]) * values->bias[channel];
      (*weight)[k] = float((*weight)[k] * values->factor[channel]);
    }
    Value newWeight = makeConstant(rewriter, conv.getLoc(), shape, *weight);
    Value newBias = makeBias(rewriter, conv.getLoc(), *bias);
    rewriter.modifyOpInPlace(conv, [&] {
      conv.getInputMutable().assign(scale.getInput());
      conv.getWeightMutable().assign(newWeight);
      conv.getBiasMutable().assign(newBias ? ValueRange(newBias) : ValueRange());
    });
    return success();
  }
};

} // namespace

void addScalePatterns(RewritePatternSet &patterns) {
  patterns.add<DropIdentityScale, NarrowScale, ScaleOfScale, ScaleOfWeights<DenseOp>,
               ScaleOfWeights<Conv2dOp>, DenseOfScale, ConvOfScale>(patterns.getContext());
}

} // namespace spindle::snn
