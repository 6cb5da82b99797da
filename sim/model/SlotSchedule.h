// Which step of which sample each layer works in a slot of hardware time.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/Population.h"

#include <algorithm>
#include <optional>

namespace spindle {

struct SpikeTrace;

/// How many slots each population is behind the host, at least: one more than the last of the
/// populations before it that drive one of its crossbars. A clustering does not say which rows meet
/// which column, so in a crossbar of several populations every row counts for all of them; rows of
/// later populations, and of the same one, do not count.
std::vector<uint32_t> layerDepths(const Clustering &clustering,
                                  const std::vector<Population> &populations);

/// With barriers all layers work the same step in a slot. Else a layer works, in slot s, step
/// s − depth of the samples laid end to end: the next sample follows without a gap, and filling and
/// draining takes as many slots as the network is deep.
class SlotSchedule {
public:
  /// A step of a sample.
  struct Turn {
    uint32_t sample, step;
  };

  /// Of the first recorded samples; the trace outlives the schedule.
  SlotSchedule(const Clustering &clustering, const SpikeTrace &spikes,
               Synchronisation synchronisation, uint32_t samples);

  uint64_t slots() const { return turns + deepest; }
  uint32_t stepsOfSample() const { return sampleSteps; }
  /// Until the first sample is through all layers.
  uint64_t slotsOfFirst() const { return std::min<uint64_t>(sampleSteps, turns) + deepest; }
  /// Every layer works.
  bool isSteady(uint64_t slot) const { return slot >= deepest && slot < turns; }
  /// What a neuron works in a slot, if it does.
  std::optional<Turn> turnOf(NeuronId neuron, uint64_t slot) const {
    return turnAt(depths[populationOf[neuron]], slot);
  }
  uint32_t population(NeuronId neuron) const { return populationOf[neuron]; }
  /// The neurons that spike in a slot, ascending.
  std::vector<NeuronId> spikes(uint64_t slot) const;
  uint32_t populations() const { return static_cast<uint32_t>(depths.size()); }
  /// Whether a population works in a slot.
  bool works(uint32_t population, uint64_t slot) const {
    return turnAt(depths[population], slot).has_value();
  }

private:
  std::optional<Turn> turnAt(uint32_t depth, uint64_t slot) const;

  const SpikeTrace &trace;
  uint32_t sampleSteps;
  uint64_t turns; // steps of all samples
  uint32_t deepest = 0;
  std::vector<uint32_t> depths;       // per population
  std::vector<uint32_t> populationOf; // per neuron
};

} // namespace spindle
