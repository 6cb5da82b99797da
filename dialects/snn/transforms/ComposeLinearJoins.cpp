// Sums and joins of branches let views through; a scale of a sum goes to both sides.
#include "dialects/snn/Names.h"
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

/// Whether two values are the same view of inputs of one type.
static bool areSameViews(Operation *a, Operation *b) {
  return a && b && isa<ReshapeOp, TransposeOp>(a) && a->getName() == b->getName() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         a->getOperand(0).getType() == b->getOperand(0).getType() &&
         a->getResult(0).getType() == b->getResult(0).getType();
}

namespace {

/// view(a) + view(b) = view(a + b)
struct AddOfViews : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp add, PatternRewriter &rewriter) const override {
    Operation *left = add.getLhs().getDefiningOp(), *right = add.getRhs().getDefiningOp();
    if (!areSameViews(left, right))
      return failure();
    Value a = left->getOperand(0);
    Value sum = AddOp::create(rewriter, add.getLoc(), synapseResult(a.getType(), shapeOf(a)), a,
                              right->getOperand(0), add.getLayerAttr());
    Operation *view = rewriter.clone(*left);
    rewriter.modifyOpInPlace(view, [&] {
      view->setOperand(0, sum);
      view->getResult(0).setType(add.getOutput().getType());
    });
    rewriter.replaceOp(add, view);
    return success();
  }
};

/// Joining along dimension d of transposed values is joining along dimension permutation[d] before.
struct ConcatOfTransposes : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp concat, PatternRewriter &rewriter) const override {
    SmallVector<Value> sources;
    auto first = concat.getInputs()[0].getDefiningOp<TransposeOp>();
    for (Value input : concat.getInputs()) {
      auto transpose = input.getDefiningOp<TransposeOp>();
      if (!first || !transpose || transpose.getPermutation() != first.getPermutation())
        return failure();
      sources.push_back(transpose.getInput());
    }
    int64_t axis = first.getPermutation()[concat.getAxis()];
    SmallVector<int64_t> shape(shapeOf(sources[0]));
    shape[axis] = shapeOf(concat.getOutput())[concat.getAxis()];
    Value joined = ConcatOp::create(rewriter, concat.getLoc(),
                                    withShape(concat.getOutput().getType(), shape), sources, axis);
    rewriter.replaceOpWithNewOp<TransposeOp>(concat, concat.getOutput().getType(), joined,
                                             first.getPermutation());
    return success();
  }
};

/// scale(a + b) = scale(a) + factor · b where both sides can take it.
struct ScaleOfAdd : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp scale, PatternRewriter &rewriter) const override {
    auto add = scale.getInput().getDefiningOp<AddOp>();
    if (!add || !add->hasOneUse() || !takesScale(add.getLhs()) || !takesScale(add.getRhs()))
      return failure();
    FailureOr<ScaleValues> values = valuesOf(scale);
    if (failed(values) || int64_t(values->factor.size()) != shapeOf(add.getLhs())[0])
      return failure();
    ScaleOp left = makeScale(rewriter, scale.getLoc(), add.getLhs(), *values, scale.getLayerAttr());
    values->bias.assign(values->bias.size(), 0);
    ScaleOp right =
        makeScale(rewriter, scale.getLoc(), add.getRhs(), *values, scale.getLayerAttr());
    rewriter.replaceOpWithNewOp<AddOp>(scale, scale.getOutput().getType(), left.getOutput(),
                                       right.getOutput(), add.getLayerAttr());
    rewriter.eraseOp(add);
    return success();
  }
};

/// Compressed rows take up views, scales and other compressed rows before and after them.
template <typename SecondOp> struct MergeIntoSparse : OpRewritePattern<SecondOp> {
  using OpRewritePattern<SecondOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(SecondOp second, PatternRewriter &rewriter) const override {
    Operation *first = second->getOperand(0).getDefiningOp();
    if (!first || !isa<SparseOp, ScaleOp, ReshapeOp, TransposeOp>(first) ||
        (!isa<SparseOp>(first) && !std::is_same_v<SecondOp, SparseOp>) ||
        (isa<SparseOp>(first) && !first->hasOneUse()))
      return failure();
    FailureOr<LinearMap> one = cast<SynapseOp>(first).linearMap(0), two = second.linearMap(0);
    if (failed(one) || failed(two) || !runsAsActivation(second))
      return failure();
    size_t before = one->weights.size() + two->weights.size();
    LinearMap both = compose(*one, *two);
    if (both.weights.size() > before)
      return failure();
    rewriter.replaceOp(second, makeRows(rewriter, second, first, first->getOperand(0), both));
    return success();
  }

private:
  static bool runsAsActivation(Operation *op) {
    return isa<RankedTensorType>(op->getResult(0).getType());
  }
};

} // namespace

void addJoinPatterns(RewritePatternSet &patterns) {
  patterns.add<AddOfViews, ConcatOfTransposes, ScaleOfAdd, MergeIntoSparse<SparseOp>,
               MergeIntoSparse<ScaleOp>, MergeIntoSparse<ReshapeOp>, MergeIntoSparse<TransposeOp>>(
      patterns.getContext());
}

} // namespace spindle::snn
