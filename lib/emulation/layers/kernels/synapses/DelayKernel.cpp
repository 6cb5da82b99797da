// Signals of some steps ago, from a ring of rows.
#include "lib/emulation/layers/PlanBuilder.h"

#include <algorithm>

namespace spindle::layers {

/// Each group of elements has a delay of its own. What a step leaves in its row of the ring is what
/// was output: the longest delay reads there.
Signal addDelay(PlanBuilder &b, const Signal &input, llvm::ArrayRef<int64_t> steps) {
  Signal output = b.addSignal(Unit::Row, input.elements, input.binary);
  int64_t longest = std::max<int64_t>(1, *std::max_element(steps.begin(), steps.end()));
  size_t row = roundUp(input.elements, kVector), size = input.elements / steps.size();
  size_t ring = b.addBuffer(Unit::Slot, size_t(longest) * row * sizeof(float));
  b.plan.cleared.push_back(ring);
  auto group = int64_t(size), elements = int64_t(row);
  StageKernel k(b, Work::Steps);
  Array rows = k.floats(ring), delays = k.array(b.addParameter(steps.vec()), k.integer(64)),
        in = k.floats(input.buffer), out = k.floats(output.buffer);
  Number now = k.time() % longest;
  Array kept = rows + now * elements;
  k.loop(int64_t(steps.size()), [&](Number g) {
    Number at = g * group, delay = delays[g];
    Array past = rows + (now + longest - delay) % longest * elements;
    Array x = in + at, before = past + at;
    (out + at).copy(select(delay == 0, x, before), group);
    (kept + at).copy(x, group);
  });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
