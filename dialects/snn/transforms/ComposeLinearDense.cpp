// Dense after dense without an activation between them is one dense.
#include "dialects/snn/Names.h"
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

namespace {

/// W₂(W₁x + b₁) + b₂
struct DenseOfDense : OpRewritePattern<DenseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DenseOp second, PatternRewriter &rewriter) const override {
    auto first = second.getInput().getDefiningOp<DenseOp>();
    if (!first || !first->hasOneUse())
      return failure();
    size_t outputs = sizeOf(second.getOutput()), middles = sizeOf(first.getOutput()),
           inputs = sizeOf(first.getInput());
    FailureOr<std::vector<float>> one = constantFloats(first.getWeight());
    FailureOr<std::vector<float>> two = constantFloats(second.getWeight());
    FailureOr<std::vector<double>> oneBias = biasOf(first.getBias(), middles);
    FailureOr<std::vector<double>> bias = biasOf(second.getBias(), outputs);
    if (failed(one) || failed(two) || failed(oneBias) || failed(bias))
      return failure();
    std::vector<double> product(outputs * inputs, 0);
    for (size_t o = 0; o < outputs; ++o)
      for (size_t m = 0; m < middles; ++m) {
        double weight = (*two)[o * middles + m];
        (*bias)[o] += weight * (*oneBias)[m];
        for (size_t i = 0; i < inputs; ++i)
          product[o * inputs + i] += weight * (*one)[m * inputs + i];
      }
    StringAttr layer = second.getLayerAttr() ? second.getLayerAttr() : first.getLayerAttr();
    Value offsets = makeBias(rewriter, second.getLoc(), *bias);
    Value weights = makeConstant(rewriter, second.getLoc(), {int64_t(outputs), int64_t(inputs)},
                                 rounded(product));
    auto made = DenseOp::create(rewriter, second.getLoc(), second.getOutput().getType(),
                                first.getInput(), weights, offsets, layer);
    keepSynapseKind(made, {first, second});
    rewriter.replaceOp(second, made);
    return success();
  }
};

} // namespace

void addDensePatterns(RewritePatternSet &patterns) {
  patterns.add<DenseOfDense>(patterns.getContext());
}

} // namespace spindle::snn
