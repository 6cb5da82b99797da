// Numbers of spikes of neurons whose spikes stand as bits: sixty-four at a time, in bytes, of which
// the sums of 255 steps are kept elsewhere.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

SpikeCounts addSpikeCounts(PlanBuilder &b, const Signal &bits) {
  size_t size = roundUp(bits.layout.size, 64);
  SpikeCounts counts{b.addBuffer(Unit::Slot, size),
                     b.addBuffer(Unit::Slot, size * sizeof(uint32_t))};
  b.plan.cleared.insert(b.plan.cleared.end(), {counts.bytes, counts.earlier});
  constexpr int64_t kWord = 64, kMost = 255; // spikes of a word, steps of a byte
  StageKernel k(b, Work::Steps);
  Array masks = k.array(bits.buffer, k.integer(kWord)), bytes = k.array(counts.bytes, k.integer(8)),
        earlier = k.array(counts.earlier, k.integer(32));
  k.loop(int64_t(size) / kWord, [&](Number w) {
    Number spikes = masks[w].as(k.lanesOf(k.integer(1), kWord));
    Array now = bytes + w * kWord;
    now.storeAligned(now.aligned(kWord) - spikes.signExtended(8));
  });
  k.when(((k.time() + 1) % kMost == 0).value(), [&] {
    k.loop({int64_t(size), lanes::kLanes}, [&](Number i) {
      Array now = bytes + i, sum = earlier + i;
      Number steps = now.aligned();
      now.storeAligned(steps.like(0));
      sum.storeAligned(sum.aligned() + steps.resized(32));
    });
  });
  b.addStage(std::move(k));
  b.plan.stages.back().joined = true;
  return counts;
}

} // namespace spindle::layers
