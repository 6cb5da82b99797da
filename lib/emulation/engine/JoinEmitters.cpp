// Operations that pick or join elements of signals: sparse rows, sums of signals, concatenation.
#include "lib/emulation/Network.h"
#include "lib/emulation/engine/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::engine {

void emitSparse(KernelBuilder &b, snn::SparseOp op, const Signals &signals) {
  int64_t inputs = snn::sizeOf(op.getInput()), outputs = snn::sizeOf(op.getOutput());
  std::vector<float> weights = constantOf(op.getWeight());
  std::vector<int32_t> rows(op.getOffsets().begin(), op.getOffsets().end());
  std::vector<int32_t> sources = op.getIndices().vec();
  if (weights.empty()) { // a parameter has memory
    weights.push_back(0);
    sources.push_back(0);
  }
  int64_t synapses = static_cast<int64_t>(weights.size());
  size_t offsets = b.addIndices(std::move(rows)), indices = b.addIndices(std::move(sources));
  Value weight = b.view(b.addParameter(std::move(weights)), {synapses});
  ElementParameter bias(b, op.getBias() ? constantOf(op.getBias()) : std::vector<float>());
  Value input = b.view(signals.input(), {inputs}), output = b.view(signals.output, {outputs});
  b.loop({outputs}, [&](ValueRange o) {
    Value first = b.loadIndex(offsets, o[0]), end = b.loadIndex(offsets, b.at({{o[0], 1}}, 1));
    KernelBuilder::Values sum =
        b.reduceBetween(first, end, {b.splat(0)}, [&](ValueRange k, ValueRange sums) {
          Value x = b.load(input, b.loadIndex(indices, k[0]));
          Value product = b.make<arith::MulFOp>(b.broadcast(b.load(weight, k)), x);
          return KernelBuilder::Values{b.make<arith::AddFOp>(sums[0], product)};
        });
    Value result = sum[0];
    if (op.getBias())
      result = b.make<arith::AddFOp>(result, bias.lanesFor(o[0]));
    b.store(result, output, o);
  });
}

void emitAdd(KernelBuilder &b, snn::AddOp op, const Signals &signals) {
  int64_t elements = snn::sizeOf(op.getOutput());
  Value left = b.view(signals.inputs[0], {elements}), right = b.view(signals.inputs[1], {elements});
  Value output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    b.store(b.make<arith::AddFOp>(b.load(left, n), b.load(right, n)), output, n);
  });
}

void emitConcat(KernelBuilder &b, snn::ConcatOp op, const Signals &signals) {
  ArrayRef<int64_t> out = snn::shapeOf(op.getOutput());
  size_t axis = op.getAxis();
  int64_t outer = 1, inner = 1;
  for (int64_t extent : out.take_front(axis))
    outer *= extent;
  for (int64_t extent : out.drop_front(axis + 1))
    inner *= extent;
  Value output = b.view(signals.output, {outer, out[axis], inner});
  int64_t first = 0;
  for (auto [operand, buffer] : llvm::zip_equal(op.getInputs(), signals.inputs)) {
    int64_t extent = snn::shapeOf(operand)[axis];
    Value input = b.view(buffer, {outer, extent, inner});
    b.loop({outer, extent, inner}, [&](ValueRange at) {
      b.store(b.load(input, at), output, {at[0], b.at({{at[1], 1}}, first), at[2]});
    });
    first += extent;
  }
}

} // namespace spindle::engine
