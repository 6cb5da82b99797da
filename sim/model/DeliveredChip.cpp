#include "sim/model/DeliveredChip.h"

#include "core/chip/work/CrossbarWork.h"
#include "core/chip/routing/ChannelDependences.h"
#include "sim/model/DeliveredSample.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

DeliveredChip::DeliveredChip(const SpikingGraph &network, const Clustering &units,
                             const Mapping &mapping, const Chip &target, double stepUs,
                             LateSpikes rule)
    : graph(network), clustering(units), chip(target), late(rule), fanOut(units, mapping),
      unitSynapses(unitOffsets(network, units.units)) {
  chip.synchronisation = Synchronisation::Free;
  chip.stepUs.value = stepUs;
}

static llvm::Error checkNouns(const SpikingGraph &graph, const Clustering &clustering,
                              const Mapping &mapping, const Chip &chip) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  SPINDLE_RETURN_IF_ERROR(verify(mapping, clustering, chip));
  SPINDLE_RETURN_IF_ERROR(checkDeadlockFree(chip));
  if (graph.neurons() != clustering.neurons)
    return inputError("", fmt::format("the graph has {} neurons, the clustering {}; partition this "
                                      "graph again",
                                      graph.neurons(), clustering.neurons));
  std::vector<bool> hasColumn(graph.neurons());
  for (const Unit &unit : clustering.units)
    hasColumn[unit.neuron] = true;
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    if (graph.fanIn(n) > 0 && !hasColumn[n])
      return inputError("", fmt::format("neuron {} has synapses but no column in the clustering; "
                                        "partition this graph again",
                                        n));
  return llvm::Error::success();
}

static llvm::Error checkStep(const Clustering &clustering, const Chip &chip) {
  uint64_t updateCycles = 0;
  for (const Cluster &cluster : clustering.clusters)
    updateCycles =
        std::max(updateCycles, cluster.units * static_cast<uint64_t>(columnCycles(chip.latency)));
  if (updateCycles <= chip.stepCycles())
    return llvm::Error::success();
  return inputError(
      chip.path,
      fmt::format("the columns of a crossbar are updated in {} cycles, but a step of "
                  "{} µs has {}; set step_us, or assessment.step_us of the flow, to {} or "
                  "more",
                  updateCycles, chip.stepUs.value, chip.stepCycles(),
                  double(updateCycles) / chip.clockMhz.value));
}

llvm::Expected<std::unique_ptr<DeliveredChip>>
DeliveredChip::make(const SpikingGraph &graph, const Clustering &clustering, const Mapping &mapping,
                    const Chip &chip, double stepUs, LateSpikes late) {
  SPINDLE_RETURN_IF_ERROR(checkNouns(graph, clustering, mapping, chip));
  std::unique_ptr<DeliveredChip> made(
      new DeliveredChip(graph, clustering, mapping, chip, stepUs, late));
  SPINDLE_RETURN_IF_ERROR(checkStep(clustering, made->chip));
  if (chip.router.multicast != Multicast::Unicast) {
    SPINDLE_ASSIGN(made->plan, planMulticast(made->fanOut, clustering.neurons, chip));
  }
  SPINDLE_RETURN_IF_ERROR(made->findDepths());
  made->findCells();
  return made;
}

llvm::Error DeliveredChip::findDepths() {
  const std::vector<Population> &populations = graph.populations;
  for (uint32_t p = 0; p < populations.size(); ++p)
    populationOf.insert(populationOf.end(), populations[p].size, p);

  // Crossbars that a sum has yet to pass: from the last unit of a chain backwards.
  const std::vector<Unit> &units = clustering.units;
  std::vector<uint32_t> passes(units.size()), mostPasses(populations.size());
  for (UnitId u = static_cast<UnitId>(units.size()); u-- > 0;) {
    UnitId next = units[u].carryTo;
    if (next != kNone)
      passes[u] = passes[next] + (units[next].cluster != units[u].cluster);
    uint32_t &most = mostPasses[populationOf[units[u].neuron]];
    most = std::max(most, passes[u]);
  }

  sumSynapses.assign(unitSynapses.begin(), unitSynapses.end() - 1);
  for (UnitId u = 0; u < units.size(); ++u) // behind those that carry to it
    if (UnitId next = units[u].carryTo; next != kNone)
      sumSynapses[next] = std::min(sumSynapses[next], sumSynapses[u]);

  populationDepths.assign(populations.size(), 0);
  for (uint32_t p = 0; p < populations.size(); ++p) {
    const Population &population = populations[p];
    for (uint64_t s = graph.offsets[population.first];
         s < graph.offsets[population.first + population.size]; ++s) {
      uint32_t driver = populationOf[graph.sources[s]];
      if (driver >= p)
        return inputError("", fmt::format("population '{}' drives '{}', which does not come after "
                                          "it; a network with feedback has no accuracy as "
                                          "delivered, leave out the section assessment",
                                          populations[driver].name, population.name));
      populationDepths[p] =
          std::max(populationDepths[p], populationDepths[driver] + 1 + mostPasses[p]);
    }
  }
  for (UnitId u = 0; u < units.size(); ++u) {
    unitLags.push_back(populationDepths[populationOf[units[u].neuron]] - passes[u]);
    if (units[u].carryTo != kNone)
      partUnits.push_back(u);
  }
  return llvm::Error::success();
}

size_t DeliveredChip::stopIndex(const Stop &stop) const {
  return static_cast<size_t>(&stop - fanOut.stops(0).data());
}

/// Turns the synapses of units round to those of stops.
void DeliveredChip::findCells() {
  struct Entry {
    uint32_t lag;
    Cell cell;
  };
  size_t stops = stopIndex(*fanOut.stops(graph.neurons() - 1).end());
  std::vector<std::vector<Entry>> perStop(stops);
  for (UnitId u = 0; u < clustering.units.size(); ++u)
    for (uint64_t s = unitSynapses[u]; s < unitSynapses[u + 1]; ++s)
      for (const Stop &stop : fanOut.stops(graph.sources[s]))
        if (stop.cluster == clustering.units[u].cluster)
          perStop[stopIndex(stop)].push_back({unitLags[u], {u, graph.weights[s]}});
  groupOffsets.push_back(0);
  for (std::vector<Entry> &entries : perStop) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry &a, const Entry &b) { return a.lag < b.lag; });
    for (const Entry &entry : entries) {
      if (groups.size() == groupOffsets.back() || groups.back().lag != entry.lag)
        groups.push_back({entry.lag, cells.size(), cells.size()});
      cells.push_back(entry.cell);
      groups.back().last = cells.size();
    }
    groupOffsets.push_back(groups.size());
  }
}

llvm::Error DeliveredChip::run(SteppedNetwork &network, uint32_t steps,
                               std::vector<DeliveryCounts> &counts) const {
  if (network.populations() != graph.populations)
    return inputError("", "the network has other populations than the graph; extract the graph "
                          "again");
  counts.resize(graph.populations.size());
  DeliveredSample(*this, network, steps, counts).run();
  return llvm::Error::success();
}

} // namespace spindle
