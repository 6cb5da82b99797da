// Rules of random connections become the lists that they stand for.
#include "dialects/snn/Names.h"
#include "dialects/snn/transforms/Passes.h"

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNLISTSYNAPSES
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

struct ListSynapses : impl::SnnListSynapsesBase<ListSynapses> {
  LogicalResult list(RandomOp op) {
    FailureOr<std::vector<float>> weight = constantFloats(op.getWeight());
    if (failed(weight))
      return op.emitError("has a weight that is not constant");
    std::vector<int64_t> offsets{0};
    std::vector<int32_t> indices;
    op.forEachRow([&](int64_t, ArrayRef<int32_t> sources) {
      indices.insert(indices.end(), sources.begin(), sources.end());
      offsets.push_back(int64_t(indices.size()));
    });
    OpBuilder builder(op);
    auto synapses = int64_t(indices.size());
    Value old = op.getWeight();
    std::vector<float> shared(std::min<size_t>(1, indices.size()), weight->front());
    Value weights = makeConstant(builder, op.getLoc(), {synapses}, shared);
    auto sparse = SparseOp::create(builder, op.getLoc(), op.getOutput().getType(), op.getInput(),
                                   weights, op.getBias(), offsets, indices, op.getLayerAttr());
    keepSynapseKind(sparse, {op});
    op.getOutput().replaceAllUsesWith(sparse.getOutput());
    op.erase();
    if (old.use_empty())
      old.getDefiningOp()->erase();
    listed += unsigned(synapses);
    return success();
  }

  void runOnOperation() override {
    for (RandomOp op : llvm::make_early_inc_range(getOperation().getOps<RandomOp>()))
      if (failed(list(op)))
        return signalPassFailure();
  }
};

} // namespace

} // namespace spindle::snn
