#include "lib/emulation/lanes/emitters/DelayedSparseEmitter.h"

#include "lib/emulation/network/Network.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::lanes {

void emitDelayedSparse(KernelBuilder &b, snn::DelayedSparseOp op, const Signals &signals) {
  int64_t inputs = snn::sizeOf(op.getInput()), outputs = snn::sizeOf(op.getOutput());
  int64_t slots = op.longestDelay() + 1;
  std::vector<int32_t> offsets(op.getOffsets().begin(), op.getOffsets().end()),
      indices = op.getIndices().vec(), delays(op.getDelays().begin(), op.getDelays().end());
  std::vector<float> weights = constantOf(op.getWeight());
  if (indices.empty()) { // a parameter has memory
    indices = delays = {0};
    weights = {0};
  }
  auto count = static_cast<int64_t>(weights.size());
  size_t firsts = b.addIndices(std::move(offsets)), sources = b.addIndices(std::move(indices)),
         ages = b.addIndices(std::move(delays)), past = b.addLaneBuffer(slots * inputs);
  emitReset(b, past, slots * inputs, {0});
  Value weight = b.view(b.addParameter(std::move(weights)), {count});
  ElementParameter bias(b, constantOf(op.getBias()));
  Value ring = b.view(past, {slots, inputs});
  Value input = b.view(signals.input(), {inputs}), output = b.view(signals.output, {outputs});
  Value step = b.make<arith::IndexCastOp>(b.ops().getIndexType(), b.stepArgument());
  Value length = b.index(slots), now = b.make<arith::RemUIOp>(step, length);
  b.loop({inputs}, [&](ValueRange n) { b.store(b.load(input, n), ring, {now, n[0]}); });
  b.loop({outputs}, [&](ValueRange o) {
    Value first = b.loadIndex(firsts, o[0]), end = b.loadIndex(firsts, b.at({{o[0], 1}}, 1));
    KernelBuilder::Values sum =
        b.reduceBetween(first, end, {b.splat(0)}, [&](ValueRange k, ValueRange sums) {
          Value ahead = b.make<arith::SubIOp>(b.at({{now, 1}}, slots), b.loadIndex(ages, k[0]));
          Value slot = b.make<arith::RemUIOp>(ahead, length);
          Value x = b.load(ring, {slot, b.loadIndex(sources, k[0])});
          Value product = b.make<arith::MulFOp>(b.broadcast(b.load(weight, k)), x);
          return KernelBuilder::Values{b.make<arith::AddFOp>(sums[0], product)};
        });
    Value result = sum[0];
    if (op.getBias())
      result = b.make<arith::AddFOp>(result, bias.lanesFor(o[0]));
    b.store(result, output, o);
  });
}

} // namespace spindle::lanes
