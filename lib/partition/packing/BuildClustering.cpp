#include "lib/partition/packing/BuildClustering.h"

#include "core/network/synapses/SynapseRuns.h"

#include <algorithm>
#include <map>
#include <utility>

namespace spindle {

std::vector<uint64_t> partialSumBounds(const SpikingGraph &graph, const std::vector<Unit> &units) {
  std::vector<uint64_t> offsets = unitOffsets(graph, units), bounds(units.size(), 0);
  uint64_t allSteps = uint64_t(graph.samples) * graph.steps;
  for (UnitId u = 0; u < units.size(); ++u) { // behind those that carry to it
    if (units[u].carryTo == kNone) {
      bounds[u] = 0;
      continue;
    }
    for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
      bounds[u] += graph.spikes[graph.sources[s]];
    bounds[u] = std::min(bounds[u], allSteps);
    bounds[units[u].carryTo] += bounds[u];
  }
  return bounds;
}

static void numberClusters(std::vector<Unit> &units, const std::vector<ClusterId> &clusterOf,
                           Clustering &result) {
  ClusterId largest = clusterOf.empty() ? 0 : *std::ranges::max_element(clusterOf);
  std::vector<ClusterId> number(size_t(largest) + 1, kNone);
  for (UnitId u = 0; u < units.size(); ++u) {
    ClusterId &c = number[clusterOf[u]];
    if (c == kNone) {
      c = static_cast<ClusterId>(result.clusters.size());
      result.clusters.emplace_back();
    }
    units[u].cluster = c;
    ++result.clusters[c].units;
    result.clusters[c].neurons += units[u].carryTo == kNone;
  }
}

/// The rows of a crossbar: sources of its cells, by kind. Sorts them.
static std::vector<Axon> axonsOf(std::vector<std::vector<NeuronId>> &sources,
                                 const SpikingGraph &graph) {
  for (std::vector<NeuronId> &each : sources)
    std::ranges::sort(each);
  std::vector<Axon> axons;
  std::vector<size_t> next(sources.size(), 0);
  while (true) {
    NeuronId neuron = kNone;
    for (size_t kind = 0; kind < sources.size(); ++kind)
      if (next[kind] < sources[kind].size())
        neuron = std::min(neuron, sources[kind][next[kind]]);
    if (neuron == kNone)
      return axons;
    Axon &axon = axons.emplace_back(Axon{neuron, 0, graph.spikes[neuron]});
    for (size_t kind = 0; kind < sources.size(); ++kind)
      for (; next[kind] < sources[kind].size() && sources[kind][next[kind]] == neuron; ++next[kind])
        ++axon.synapses[SynapseKind(kind)];
  }
}

static void fillAxons(const SpikingGraph &graph, Clustering &result) {
  using ByKind = std::vector<std::vector<NeuronId>>;
  SynapseRuns runs(graph);
  std::vector<uint64_t> offsets = unitOffsets(graph, result.units);
  std::vector<ByKind> cells(result.clusters.size(), ByKind(std::size(kSynapseKinds)));
  for (UnitId u = 0; u < result.units.size(); ++u)
    runs.forEach(result.units[u].neuron, offsets[u], offsets[u + 1],
                 [&](uint64_t begin, uint64_t end, SynapseKind kind) {
                   std::vector<NeuronId> &sources = cells[result.units[u].cluster][size_t(kind)];
                   sources.insert(sources.end(), graph.sources.begin() + ptrdiff_t(begin),
                                  graph.sources.begin() + ptrdiff_t(end));
                 });
  for (ClusterId c = 0; c < cells.size(); ++c) {
    Cluster &cluster = result.clusters[c];
    for (const std::vector<NeuronId> &sources : cells[c])
      cluster.synapses += sources.size();
    cluster.axons = axonsOf(cells[c], graph);
    cells[c] = {};
  }
}

void fillLinks(const SpikingGraph &graph, const std::vector<uint64_t> &partialSums,
               Clustering &result) {
  std::vector<ClusterId> home(graph.neurons(), kNone);
  for (const Unit &unit : result.units)
    if (unit.carryTo == kNone)
      home[unit.neuron] = unit.cluster;
  struct Traffic {
    uint64_t spikes = 0, partialSums = 0;
  };
  std::map<std::pair<ClusterId, ClusterId>, Traffic> traffic;
  for (ClusterId c = 0; c < result.clusters.size(); ++c)
    for (const Axon &axon : result.clusters[c].axons)
      if (home[axon.neuron] != c)
        traffic[{home[axon.neuron], c}].spikes += axon.spikes;
  for (UnitId u = 0; u < result.units.size(); ++u) {
    const Unit &unit = result.units[u];
    if (unit.carryTo != kNone && result.units[unit.carryTo].cluster != unit.cluster)
      traffic[{unit.cluster, result.units[unit.carryTo].cluster}].partialSums += partialSums[u];
  }
  for (const auto &[ends, packets] : traffic) {
    result.links.push_back({ends.first, ends.second, packets.spikes, packets.partialSums});
    result.cutSpikes += ends.first == kNone ? 0 : packets.spikes;
  }
}

Clustering clusterUnits(const SpikingGraph &graph, std::vector<Unit> units,
                        const std::vector<ClusterId> &clusterOf, const Crossbar &crossbar) {
  Clustering result;
  result.rows = crossbar.rows;
  result.columns = crossbar.columns;
  result.neurons = graph.neurons();
  result.samples = graph.samples;
  result.steps = graph.steps;
  numberClusters(units, clusterOf, result);
  result.units = std::move(units);
  return result;
}

Clustering buildClustering(const SpikingGraph &graph, std::vector<Unit> units,
                           const std::vector<ClusterId> &clusterOf, const Crossbar &crossbar) {
  Clustering result = clusterUnits(graph, std::move(units), clusterOf, crossbar);
  fillAxons(graph, result);
  fillLinks(graph, partialSumBounds(graph, result.units), result);
  return result;
}

} // namespace spindle
