// Transposes and reshapes sink, meet and cancel.
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

/// For each element of the output of a view the element of its input.
static std::vector<uint32_t> sourceOf(Operation *view) {
  return cast<SynapseOp>(view).linearMap(0)->indices;
}

/// The same view of another signal with the shape of its input.
static Value viewOf(PatternRewriter &rewriter, Operation *view, Value input) {
  Operation *moved = rewriter.clone(*view);
  Type type = withShape(input.getType(), shapeOf(view->getResult(0)));
  rewriter.modifyOpInPlace(moved, [&] {
    moved->setOperand(0, input);
    moved->getResult(0).setType(type);
  });
  return moved->getResult(0);
}

namespace {

struct ReshapeOfReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp second, PatternRewriter &rewriter) const override {
    auto first = second.getInput().getDefiningOp<ReshapeOp>();
    if (!first)
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(second, second.getOutput().getType(), first.getInput());
    return success();
  }
};

struct TransposeOfTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp second, PatternRewriter &rewriter) const override {
    auto first = second.getInput().getDefiningOp<TransposeOp>();
    if (!first)
      return failure();
    SmallVector<int64_t> permutation;
    for (int64_t dimension : second.getPermutation())
      permutation.push_back(first.getPermutation()[dimension]);
    rewriter.replaceOpWithNewOp<TransposeOp>(second, second.getOutput().getType(), first.getInput(),
                                             permutation);
    return success();
  }
};

/// A transpose that only moves dimensions of extent one keeps the order of the elements.
struct TransposeOfUnits : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp transpose, PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = shapeOf(transpose.getInput());
    SmallVector<int64_t> moved;
    for (int64_t dimension : transpose.getPermutation())
      if (shape[dimension] != 1)
        moved.push_back(dimension);
    if (!llvm::is_sorted(moved))
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(transpose, transpose.getOutput().getType(),
                                           transpose.getInput());
    return success();
  }
};

/// relu(view(x)) = view(relu(x))
template <typename ViewOp> struct SinkBelowRelu : OpRewritePattern<ReluOp> {
  using OpRewritePattern<ReluOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ReluOp relu, PatternRewriter &rewriter) const override {
    auto view = relu.getInput().getDefiningOp<ViewOp>();
    if (!view)
      return failure();
    Value inner =
        ReluOp::create(rewriter, relu.getLoc(), view.getInput().getType(), view.getInput(),
                       relu.getMaximumAttr(), relu.getLevelsAttr(), relu.getLayerAttr());
    rewriter.replaceOp(relu, viewOf(rewriter, view, inner));
    return success();
  }
};

/// scale(view(x)) = view(scale(x)) with the values in the order of x.
template <typename ViewOp> struct SinkBelowScale : OpRewritePattern<ScaleOp> {
  using OpRewritePattern<ScaleOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    auto view = scale.getInput().getDefiningOp<ViewOp>();
    if (!view)
      return failure();
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values))
      return failure();
    values->expand(sizeOf(scale.getInput()));
    ScaleValues ordered = *values;
    std::vector<uint32_t> source = sourceOf(view);
    for (size_t o = 0; o < source.size(); ++o) {
      ordered.factor[source[o]] = values->factor[o];
      ordered.bias[source[o]] = values->bias[o];
    }
    ScaleOp inner = makeScale(rewriter, scale.getLoc(), view.getInput(), std::move(ordered),
                              scale.getLayerAttr());
    rewriter.replaceOp(scale, viewOf(rewriter, view, inner.getOutput()));
    return success();
  }
};

static AvgPool2dOp turned(PatternRewriter &rewriter, AvgPool2dOp pool, Type type, Value input,
                          ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                          ArrayRef<int64_t> padding) {
  return AvgPool2dOp::create(rewriter, pool.getLoc(), type, input, kernel, strides, padding,
                             pool.getCountIncludePad(), pool.getLayerAttr());
}
static MaxPool2dOp turned(PatternRewriter &rewriter, MaxPool2dOp pool, Type type, Value input,
                          ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                          ArrayRef<int64_t> padding) {
  return MaxPool2dOp::create(rewriter, pool.getLoc(), type, input, kernel, strides, padding,
                             pool.getLayerAttr());
}

/// A transpose of rows and columns sinks below a pooling, whose windows turn with it.
template <typename PoolOp> struct SinkBelowPool : OpRewritePattern<PoolOp> {
  using OpRewritePattern<PoolOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(PoolOp pool, PatternRewriter &rewriter) const override {
    auto transpose = pool.getInput().template getDefiningOp<TransposeOp>();
    if (!transpose || transpose.getPermutation() != ArrayRef<int64_t>{0, 2, 1})
      return failure();
    ArrayRef<int64_t> out = shapeOf(pool.getOutput()), kernel = pool.getKernel(),
                      strides = pool.getStrides(), pad = pool.getPadding();
    Value input = transpose.getInput();
    PoolOp inner = turned(
        rewriter, pool, withShape(pool.getOutput().getType(), {out[0], out[2], out[1]}), input,
        {kernel[1], kernel[0]}, {strides[1], strides[0]}, {pad[1], pad[0], pad[3], pad[2]});
    rewriter.replaceOpWithNewOp<TransposeOp>(pool, pool.getOutput().getType(), inner.getOutput(),
                                             ArrayRef<int64_t>{0, 2, 1});
    return success();
  }
};

/// dense(flatten(transpose(x))): the columns of the weights take the order of x.
struct DenseOfTranspose : OpRewritePattern<DenseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DenseOp dense, PatternRewriter &rewriter) const override {
    auto reshape = dense.getInput().getDefiningOp<ReshapeOp>();
    auto transpose = reshape ? reshape.getInput().getDefiningOp<TransposeOp>() : TransposeOp();
    FailureOr<std::vector<float>> weight = constantFloats(dense.getWeight());
    if (!transpose || failed(weight))
      return failure();
    std::vector<uint32_t> source = sourceOf(transpose);
    std::vector<float> ordered(weight->size());
    for (size_t k = 0; k < weight->size(); ++k)
      ordered[k / source.size() * source.size() + source[k % source.size()]] = (*weight)[k];
    Value flat = ReshapeOp::create(
        rewriter, reshape.getLoc(),
        withShape(transpose.getInput().getType(), shapeOf(dense.getInput())), transpose.getInput());
    Value newWeight = makeConstant(rewriter, dense.getLoc(), shapeOf(dense.getWeight()), ordered);
    rewriter.modifyOpInPlace(dense, [&] {
      dense.getInputMutable().assign(flat);
      dense.getWeightMutable().assign(newWeight);
    });
    return success();
  }
};

} // namespace

void addViewPatterns(RewritePatternSet &patterns) {
  patterns.add<ReshapeOfReshape, TransposeOfTranspose, TransposeOfUnits, SinkBelowRelu<ReshapeOp>,
               SinkBelowRelu<TransposeOp>, SinkBelowScale<ReshapeOp>, SinkBelowScale<TransposeOp>,
               SinkBelowPool<AvgPool2dOp>, SinkBelowPool<MaxPool2dOp>, DenseOfTranspose>(
      patterns.getContext());
}

} // namespace spindle::snn
