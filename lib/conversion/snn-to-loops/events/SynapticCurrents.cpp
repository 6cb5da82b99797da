// Neurons whose membranes take up a synaptic current that decays by itself (snn.fixed_cuba_lif).
#include "lib/conversion/snn-to-loops/events/EventNeurons.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// saturate(v + j), and what becomes of it behind spike and reset.
Value EventNeurons::afterCurrent(const LaneUpdate &lane, Value membrane, Value sum, Value spike) {
  const WordMath &math = lane.math;
  Value back =
      model.resetBySubtraction
          ? math.subtract(sum, parameter(lane, "threshold",
                                         [&](size_t neuron) {
                                           return int64_t(snn::valueAt(model.threshold, neuron));
                                         }))
          : parameter(lane, "v_reset",
                      [&](size_t neuron) { return int64_t(snn::valueAt(model.reset, neuron)); });
  Value after = math.resize(math.select(spike, back, sum), membraneBits);
  return lane.rest ? math.select(lane.isResting, membrane, after) : after;
}

/// The end of a step has four parts: the sum is saturated, the membrane takes it up and spikes,
/// products with what is kept of both, and what the next step begins with. The current runs on
/// while the neuron is refractory.
Value EventNeurons::updateCurrent(const LaneUpdate &given) {
  const WordMath &math = given.math;
  LaneUpdate lane = given;
  takeRest(lane);
  lane.current = given.current;
  Value sum = load(lane, sums), membrane = load(lane, membranes);

  Value limit = parameter(lane, "threshold", [&](size_t neuron) {
    return int64_t(snn::valueAt(model.threshold, neuron));
  });
  Value taken = saturated(math, math.add(math.resize(membrane, sumBits), sum));
  Value spike = math.isAtLeast(taken, limit), rest;
  if (lane.rest) {
    spike = math.both(spike, math.equals(lane.rest, 0));
    rest = restAfter(lane, spike);
  }
  Value leaked = kept(lane, membrane, membraneProducts, model.fixedPoint.kept);
  leaked = math.resize(leaked, membraneBits);
  if (lane.rest)
    leaked = math.select(lane.isResting, membrane, leaked);
  Value after = math.select(lane.isEnd, afterCurrent(lane, membrane, taken, spike),
                            math.select(lane.isStart, leaked, membrane));
  Value first = math.resize(
      parameter(lane, "first_membrane", [&](size_t neuron) { return firstMembrane(neuron); }),
      membraneBits);

  Value begun = math.add(math.resize(kept(lane, sum, products, model.fixedSynapse.kept), sumBits),
                         biasOf(lane));
  Value added = math.select(lane.isEnd, sum, math.add(sum, lane.current)); // no event
  Value next = math.select(lane.isSum, saturated(math, sum), added);
  next = math.select(lane.isStart, begun, next);
  Value start = parameter(lane, "start", [&](size_t neuron) { return startOf(neuron); });
  keep(lane, math.select(lane.isFresh, start, next), rest, math.select(lane.isFresh, first, after));
  return spike;
}

} // namespace spindle::snn_to_loops
