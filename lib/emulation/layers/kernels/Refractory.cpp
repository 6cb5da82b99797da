// Neurons that rest after a spike. While they do, their membrane is no number: whatever it is added
// to, it stays none and reaches no threshold. So the neurons' own kernel needs no counters.
#include "lib/emulation/layers/PlanBuilder.h"

#include <limits>

namespace spindle::layers {

/// Counts are kept of as many steps.
constexpr int64_t kLongest = 1 << 16;

/// In fixed point membranes become integers on the way, and what is no number would be one of them.
bool canRest(const snn::NeuronModel &model) {
  return !model.isFixedPoint() && !model.refractory.empty() && llvm::all_equal(model.refractory) &&
         model.refractory.front() > 0 && model.refractory.front() <= kLongest &&
         !model.resetBySubtraction;
}

/// Sends the neurons of the list to rest; those that have rested long enough get their membrane
/// back. Resting neurons stand in a queue, in the order of their spikes; `counts` says how many are
/// from each of the last steps, `cursors` where the queue begins and ends.
void addRest(PlanBuilder &b, const snn::NeuronModel &model, const EventList &spikes,
             size_t elements, size_t membranes) {
  auto slots = size_t(model.refractory.front()) + 1;
  size_t queue = b.addBuffer(Unit::Slot, elements * (spikes.narrow ? 2 : 4)),
         counts = b.addBuffer(Unit::Slot, slots * sizeof(int64_t)),
         cursors = b.addBuffer(Unit::Slot, 2 * sizeof(int64_t));
  b.plan.cleared.insert(b.plan.cleared.end(), {counts, cursors});
  StageKernel k(b, Work::Steps);
  mlir::Type word = k.integer(64);
  Events list = k.events(spikes);
  Array resting = k.array(queue, list.entries.elementType()), ofSteps = k.array(counts, word),
        head = k.array(cursors, word), tail = head + 1,
        resets = k.floats(b.addParameter(model.reset)), membrane = k.floats(membranes);
  auto behind = [&](Number at) { // nobody rests twice at a time
    Number next = at + 1;
    return select(next == elements, k.number(0), next);
  };
  Number none(k, k.f32(), std::numeric_limits<double>::quiet_NaN());

  Number count = list.end();
  (ofSteps + k.time() % slots).store(count);
  Number end = k.reduce(count, tail.load(), [&](Number e, Number at) {
    Number neuron = list.entries[e];
    (resting + at).store(neuron);
    (membrane + neuron.resized(64)).store(none);
    return behind(at);
  });
  tail.store(end);

  Number wake = ofSteps[(k.time() + 1) % slots];
  Number begin = k.reduce(wake, head.load(), [&](Number, Number at) {
    Number neuron = resting[at].resized(64);
    Number reset = model.reset.size() > 1 ? resets[neuron] : resets.load();
    (membrane + neuron).store(reset);
    return behind(at);
  });
  head.store(begin);
  b.addStage(std::move(k));
  b.plan.stages.back().joined = true;
}

} // namespace spindle::layers
