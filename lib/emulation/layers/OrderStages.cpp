// What keeps two blocks of the same samples in order when they are worked at the same time: state.
#include "lib/emulation/layers/Plan.h"

namespace spindle::layers {

/// Slots that change from block to block: not those that are filled before the first one.
static std::vector<bool> findState(const Plan &plan) {
  std::vector<bool> isState;
  for (const Buffer &buffer : plan.buffers)
    isState.push_back(buffer.unit == Unit::Slot);
  for (auto [value, buffer] : plan.inputs)
    isState[buffer] = false;
  for (const Stage &stage : plan.stages)
    for (size_t buffer : stage.buffers)
      if (stage.work == Work::Slots)
        isState[buffer] = false;
  return isState;
}

void orderStages(Plan &plan) {
  std::vector<bool> isState = findState(plan);
  std::vector<std::optional<size_t>> lastUse(plan.buffers.size());
  auto forState = [&](auto use) {
    for (size_t s = 0, first = 0; s < plan.stages.size(); ++s) {
      first = plan.stages[s].joined ? first : s;
      for (size_t buffer : plan.stages[s].buffers)
        if (isState[buffer])
          use(first, lastUse[buffer]);
    }
  };
  forState([](size_t stage, std::optional<size_t> &last) { last = stage; });
  forState([&](size_t stage, std::optional<size_t> &last) {
    plan.stages[stage].after = std::max(plan.stages[stage].after, last);
  });
}

} // namespace spindle::layers
