#include "sim/model/SlotSchedule.h"

#include "core/network/SpikeTrace.h"

#include <algorithm>
#include <set>

namespace spindle {

namespace {

std::vector<uint32_t> populationsOf(const std::vector<Population> &populations) {
  std::vector<uint32_t> of;
  for (uint32_t p = 0; p < populations.size(); ++p)
    of.insert(of.end(), populations[p].size, p);
  return of;
}

} // namespace

std::vector<uint32_t> layerDepths(const Clustering &clustering,
                                  const std::vector<Population> &populations) {
  std::vector<uint32_t> of = populationsOf(populations);
  std::vector<std::set<uint32_t>> inCluster(clustering.clusters.size());
  for (const Unit &unit : clustering.units)
    inCluster[unit.cluster].insert(of[unit.neuron]);
  std::vector<std::set<uint32_t>> before(populations.size());
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    for (const Axon &axon : clustering.clusters[c].axons)
      for (uint32_t population : inCluster[c])
        if (of[axon.neuron] < population)
          before[population].insert(of[axon.neuron]);
  std::vector<uint32_t> depths(populations.size());
  for (uint32_t p = 0; p < populations.size(); ++p)
    for (uint32_t driver : before[p])
      depths[p] = std::max(depths[p], depths[driver] + 1);
  return depths;
}

SlotSchedule::SlotSchedule(const Clustering &clustering, const SpikeTrace &spikes,
                           Synchronisation synchronisation, uint32_t samples)
    : trace(spikes), sampleSteps(spikes.steps), turns(uint64_t(samples) * spikes.steps),
      populationOf(populationsOf(spikes.populations)) {
  depths = synchronisation == Synchronisation::Barrier
               ? std::vector<uint32_t>(trace.populations.size())
               : layerDepths(clustering, trace.populations);
  for (uint32_t depth : depths)
    deepest = std::max(deepest, depth);
}

std::optional<SlotSchedule::Turn> SlotSchedule::turnAt(uint32_t depth, uint64_t slot) const {
  if (slot < depth || slot - depth >= turns)
    return std::nullopt;
  uint64_t turn = slot - depth;
  return Turn{static_cast<uint32_t>(turn / sampleSteps), static_cast<uint32_t>(turn % sampleSteps)};
}

std::vector<NeuronId> SlotSchedule::spikes(uint64_t slot) const {
  std::vector<NeuronId> neurons;
  for (uint32_t p = 0; p < depths.size(); ++p) {
    std::optional<Turn> turn = turnAt(depths[p], slot);
    if (!turn)
      continue;
    const std::vector<Spike> &recorded = trace.recorded[turn->sample];
    const Population &population = trace.populations[p];
    for (auto spike = std::lower_bound(recorded.begin(), recorded.end(),
                                       Spike{turn->step, population.first});
         spike != recorded.end() && spike->step == turn->step &&
         spike->neuron < population.first + population.size;
         ++spike)
      neurons.push_back(spike->neuron);
  }
  return neurons;
}

} // namespace spindle
