#include "lib/partition/Hypergraph.h"

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

Hypergraph buildHypergraph(const SpikingGraph &graph, const std::vector<Unit> &units) {
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
  result.readers = transpose(result.pins, result.nets());
  result.rowReads.assign(units.size(), 0);
  for (UnitId u = 0; u < units.size(); ++u)
    for (uint32_t net : result.pins[u])
      result.rowReads[u] += graph.spikes[net];
  result.cells = result.rowReads;
  result.sums.assign(units.size(), 0);
  std::vector<uint64_t> carried = partialSumBounds(graph, units);
  for (UnitId u = 0; u < units.size(); ++u)
    if (units[u].carryTo != kNone)
      result.sums[units[u].carryTo] += carried[u];
  return result;
}

} // namespace spindle
