// Operations that pick or join elements of signals: sparse rows, sums of signals, concatenation.
#include "lib/emulation/lanes/emitters/Emitters.h"
#include "lib/emulation/network/Network.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::lanes {

namespace {

/// Compressed rows; one weight, or one for each entry.
struct WeightedRows {
  std::vector<int32_t> offsets, sources;
  std::vector<float> weights, biases;
};

} // namespace

static void emitRows(KernelBuilder &b, WeightedRows rows, int64_t inputs, const Signals &signals) {
  auto outputs = static_cast<int64_t>(rows.offsets.size()) - 1;
  if (rows.sources.empty()) // a parameter has memory
    rows.sources.push_back(0);
  if (rows.weights.empty())
    rows.weights.push_back(0);
  bool isOne = rows.weights.size() == 1, hasBias = !rows.biases.empty();
  size_t offsets = b.addIndices(std::move(rows.offsets)),
         indices = b.addIndices(std::move(rows.sources));
  auto weights = static_cast<int64_t>(rows.weights.size());
  Value weight = b.view(b.addParameter(std::move(rows.weights)), {weights});
  ElementParameter bias(b, std::move(rows.biases));
  Value input = b.view(signals.input(), {inputs}), output = b.view(signals.output, {outputs});
  Value zero = b.make<arith::ConstantIndexOp>(0);
  b.loop({outputs}, [&](ValueRange o) {
    Value first = b.loadIndex(offsets, o[0]), end = b.loadIndex(offsets, b.at({{o[0], 1}}, 1));
    KernelBuilder::Values sum =
        b.reduceBetween(first, end, {b.splat(0)}, [&](ValueRange k, ValueRange sums) {
          Value x = b.load(input, b.loadIndex(indices, k[0]));
          Value shared = b.load(weight, isOne ? ValueRange(zero) : k);
          Value product = b.make<arith::MulFOp>(b.broadcast(shared), x);
          return KernelBuilder::Values{b.make<arith::AddFOp>(sums[0], product)};
        });
    Value result = sum[0];
    if (hasBias)
      result = b.make<arith::AddFOp>(result, bias.lanesFor(o[0]));
    b.store(result, output, o);
  });
}

void emitSparse(KernelBuilder &b, snn::SparseOp op, const Signals &signals) {
  emitRows(b,
           {std::vector<int32_t>(op.getOffsets().begin(), op.getOffsets().end()),
            op.getIndices().vec(), constantOf(op.getWeight()), constantOf(op.getBias())},
           snn::sizeOf(op.getInput()), signals);
}

void emitRandom(KernelBuilder &b, snn::RandomOp op, const Signals &signals) {
  WeightedRows rows{{0}, {}, constantOf(op.getWeight()), constantOf(op.getBias())};
  op.forEachRow([&](int64_t, ArrayRef<int32_t> sources) {
    rows.sources.insert(rows.sources.end(), sources.begin(), sources.end());
    rows.offsets.push_back(static_cast<int32_t>(rows.sources.size()));
  });
  emitRows(b, std::move(rows), snn::sizeOf(op.getInput()), signals);
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

} // namespace spindle::lanes
