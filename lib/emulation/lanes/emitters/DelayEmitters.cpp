// Signals of earlier steps: rings of buffers, a slot per step.
#include "lib/emulation/lanes/emitters/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::lanes {

static Value stepIndex(KernelBuilder &b) {
  return b.make<arith::IndexCastOp>(b.ops().getIndexType(), b.stepArgument());
}

/// A ring of zeros.
static size_t addRing(KernelBuilder &b, int64_t slots, int64_t elements) {
  size_t ring = b.addLaneBuffer(slots * elements);
  emitReset(b, ring, slots * elements, {0});
  return ring;
}

void emitDelay(KernelBuilder &b, snn::DelayOp op, const Signals &signals) {
  int64_t elements = snn::sizeOf(op.getInput());
  ArrayRef<int64_t> steps = op.getSteps();
  int64_t slots = std::max<int64_t>(1, *std::max_element(steps.begin(), steps.end()));
  int64_t groups = int64_t(steps.size()), perGroup = elements / groups;
  size_t delays = b.addIndices({steps.begin(), steps.end()});
  Value ring = b.view(addRing(b, slots, elements), {slots, elements});
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  Value count = b.index(slots), now = b.make<arith::RemUIOp>(stepIndex(b), count);
  b.loop({groups, perGroup}, [&](ValueRange at) {
    Value element = b.at({{at[0], perGroup}, {at[1], 1}}), delay = b.loadIndex(delays, at[0]);
    Value ahead = b.make<arith::SubIOp>(b.at({{now, 1}}, slots), delay);
    Value past = b.load(ring, {b.make<arith::RemUIOp>(ahead, count), element});
    Value x = b.load(input, element);
    Value none = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, delay, b.index(0));
    b.store(b.make<arith::SelectOp>(none, x, past), output, element);
    b.store(x, ring, {now, element}); // where the slot was the longest delay's
  });
}

/// This step's slot, which held the spikes of `steps` steps ago.
static Value slotOf(KernelBuilder &b, snn::FeedbackOp op) {
  return b.make<arith::RemUIOp>(stepIndex(b), b.index(int64_t(op.getSteps())));
}

static Value viewOf(KernelBuilder &b, snn::FeedbackOp op, size_t ring) {
  return b.view(ring, {int64_t(op.getSteps()), snn::sizeOf(op.getOutput())});
}

size_t emitFeedback(KernelBuilder &b, snn::FeedbackOp op, size_t output) {
  int64_t elements = snn::sizeOf(op.getOutput());
  size_t ring = addRing(b, int64_t(op.getSteps()), elements);
  Value from = viewOf(b, op, ring), to = b.view(output, {elements}), slot = slotOf(b, op);
  b.loop({elements}, [&](ValueRange n) { b.store(b.load(from, {slot, n[0]}), to, n); });
  return ring;
}

void emitFeedbackWrite(KernelBuilder &b, snn::FeedbackOp op, size_t spikes, size_t ring) {
  int64_t elements = snn::sizeOf(op.getOutput());
  Value from = b.view(spikes, {elements}), to = viewOf(b, op, ring), slot = slotOf(b, op);
  b.loop({elements}, [&](ValueRange n) { b.store(b.load(from, n), to, {slot, n[0]}); });
}

} // namespace spindle::lanes
