// Weights after weights that no other rule merges, as compressed rows of the synapses of both.
#include "dialects/snn/Names.h"
#include "dialects/snn/transforms/ComposeLinear.h"

using namespace mlir;

namespace spindle::snn {

SparseOp makeRows(OpBuilder &builder, Operation *second, Operation *first, Value input,
                  const LinearMap &map) {
  std::vector<int64_t> offsets(map.offsets.begin(), map.offsets.end());
  std::vector<int32_t> indices(map.indices.begin(), map.indices.end());
  std::vector<double> bias(map.bias.begin(), map.bias.end());
  Value weights =
      makeConstant(builder, second->getLoc(), {int64_t(map.weights.size())}, map.weights);
  auto layer = second->getAttrOfType<StringAttr>("layer");
  if (!layer)
    layer = first->getAttrOfType<StringAttr>("layer");
  auto made =
      SparseOp::create(builder, second->getLoc(), second->getResult(0).getType(), input, weights,
                       makeBias(builder, second->getLoc(), bias), offsets, indices, layer);
  keepSynapseKind(made, {first, second});
  return made;
}

namespace {

constexpr uint64_t kMostSynapses = uint64_t(1) << 26;

bool isLayer(Operation *op) {
  return isa_and_nonnull<DenseOp, Conv2dOp, SparseOp, ScaleOp>(op) &&
         runsInTime(op->getResult(0).getType());
}

/// Synapses, without making them.
uint64_t synapsesOf(Operation *op) {
  uint64_t outputs = sizeOf(op->getResult(0));
  if (auto pool = dyn_cast<AvgPool2dOp>(op))
    return outputs * uint64_t(pool.getKernel()[0]) * uint64_t(pool.getKernel()[1]);
  if (isa<ScaleOp, ReshapeOp, TransposeOp>(op))
    return outputs;
  uint64_t weights = sizeOf(op->getOperand(1));
  uint64_t filters = isa<Conv2dOp>(op) ? shapeOf(op->getOperand(1))[0] : 0;
  return filters > 0 ? outputs * (weights / filters) : weights;
}

/// Products before those that meet are added.
uint64_t productsOf(const LinearMap &first, const LinearMap &second) {
  uint64_t products = 0;
  for (uint32_t middle : second.indices)
    products += first.offsets[middle + 1] - first.offsets[middle];
  return products;
}

struct LayerOfLayer : RewritePattern {
  explicit LayerOfLayer(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *second, PatternRewriter &rewriter) const override {
    if (!isLayer(second))
      return failure();
    SmallVector<Operation *> way = {second}; // backwards
    Operation *first = second->getOperand(0).getDefiningOp();
    for (; isa_and_nonnull<ReshapeOp, TransposeOp, AvgPool2dOp>(first);
         first = first->getOperand(0).getDefiningOp())
      way.push_back(first);
    auto isLarge = [](Operation *op) { return synapsesOf(op) > kMostSynapses; };
    if (!isLayer(first) || isLarge(first) || llvm::any_of(way, isLarge))
      return failure();
    FailureOr<LinearMap> all = cast<SynapseOp>(first).linearMap(0);
    for (Operation *op : llvm::reverse(way)) {
      FailureOr<LinearMap> next = cast<SynapseOp>(op).linearMap(0);
      if (failed(all) || failed(next) || productsOf(*all, *next) > kMostSynapses)
        return failure();
      all = compose(*all, *next);
    }
    rewriter.replaceOp(second, makeRows(rewriter, second, first, first->getOperand(0), *all));
    return success();
  }
};

} // namespace

void addRowPatterns(RewritePatternSet &patterns) {
  patterns.add<LayerOfLayer>(patterns.getContext());
}

} // namespace spindle::snn
