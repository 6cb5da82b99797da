#include "lib/partition/Hypergraph.h"

#include "core/network/synapses/SynapseRuns.h"
#include "lib/partition/packing/BuildClustering.h"

#include <numeric>

namespace spindle {

Incidence transpose(const Incidence &pins, uint32_t nets) {
  Incidence readers;
  readers.offsets.assign(nets + 1, 0);
  for (uint32_t net : pins.members)
    ++readers.offsets[net + 1];
  std::partial_sum(readers.offsets.begin(), readers.offsets.end(), readers.offsets.begin());
  readers.members.resize(pins.members.size());
  std::vector<uint64_t> next(readers.offsets.begin(), readers.offsets.end() - 1);
  for (VertexId v = 0; v < pins.size(); ++v)
    for (uint32_t net : pins[v])
      readers.members[next[net]++] = v;
  return readers;
}

/// A net for the sum of each unit, with a row where it goes to: behind the neurons.
static void addSums(Hypergraph &result, const std::vector<Unit> &units,
                    const std::vector<uint64_t> &carried) {
  Incidence pins, driven;
  std::vector<std::vector<uint32_t>> comes(units.size()); // few per unit
  for (UnitId u = 0; u < units.size(); ++u) {
    pins.members.insert(pins.members.end(), result.pins[u].begin(), result.pins[u].end());
    pins.members.insert(pins.members.end(), comes[u].begin(), comes[u].end());
    pins.close();
    driven.members.insert(driven.members.end(), result.driven[u].begin(), result.driven[u].end());
    if (units[u].carryTo != kNone) {
      uint32_t net = result.nets();
      result.spikes.push_back(carried[u]);
      result.driver.push_back(u);
      driven.members.push_back(net);
      comes[units[u].carryTo].push_back(net);
    }
    driven.close();
  }
  result.pins = std::move(pins);
  result.driven = std::move(driven);
}

/// Spikes on the synapses of each unit, partial sums left out.
static std::vector<SynapsesByKind<uint64_t>> cellEvents(const SpikingGraph &graph,
                                                        const std::vector<Unit> &units) {
  SynapseRuns runs(graph);
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  std::vector<SynapsesByKind<uint64_t>> events(units.size());
  for (UnitId u = 0; u < units.size(); ++u)
    runs.forEach(units[u].neuron, offsets[u], offsets[u + 1],
                 [&](uint64_t begin, uint64_t end, SynapseKind kind) {
                   for (uint64_t s = begin; s < end; ++s)
                     events[u][kind] += graph.spikes[graph.sources[s]];
                 });
  return events;
}

Hypergraph buildHypergraph(const SpikingGraph &graph, const std::vector<Unit> &units,
                           bool sumsHaveRows) {
  Hypergraph result;
  result.columns.assign(units.size(), 1);
  result.pins.members = graph.sources;
  result.pins.offsets = unitOffsets(graph, units);
  result.spikes = graph.spikes;
  result.driver.assign(graph.neurons(), kNone);
  for (UnitId u = 0; u < units.size(); ++u) {
    if (units[u].carryTo == kNone) {
      result.driver[units[u].neuron] = u;
      result.driven.members.push_back(units[u].neuron);
    }
    result.driven.close();
  }
  std::vector<uint64_t> carried = partialSumBounds(graph, units);
  if (sumsHaveRows)
    addSums(result, units, carried);
  result.readers = transpose(result.pins, result.nets());
  result.rowReads.assign(units.size(), 0);
  for (UnitId u = 0; u < units.size(); ++u)
    for (uint32_t net : result.pins[u])
      result.rowReads[u] += result.spikes[net];
  result.cells = cellEvents(graph, units);
  for (UnitId u = 0; u < units.size(); ++u)
    for (uint32_t net : result.pins[u])
      if (net >= graph.neurons()) // a sum that has a row
        result.cells[u] += result.spikes[net];
  result.sums.assign(units.size(), 0);
  for (UnitId u = 0; u < units.size(); ++u)
    if (units[u].carryTo != kNone && !sumsHaveRows)
      result.sums[units[u].carryTo] += carried[u];
  return result;
}

} // namespace spindle
