// Every partition of a few columns, judged by definitions alone: the oracle of searches and bounds.
#pragma once

#include "core/chip/Clustering.h"
#include "tests/partition/RandomGraph.h"

#include <map>
#include <set>

namespace spindle {

/// What is least over all set partitions of the columns that keep the limits (restricted growth
/// strings); up to 9 columns take a moment.
class ExhaustivePartitions {
public:
  ExhaustivePartitions(const SpikingGraph &what, std::vector<Unit> columns, const Crossbar &limits)
      : graph(what), units(std::move(columns)), crossbar(limits),
        offsets(unitOffsets(graph, units)) {
    run(0, 0);
  }

  std::map<uint32_t, uint64_t> leastTraffic; // by number of clusters
  uint64_t leastOfAllTraffic = UINT64_MAX;
  uint64_t leastCost = UINT64_MAX; // two for a spike to another cluster, one for a row

private:
  void run(UnitId u, uint32_t used) {
    if (u == units.size()) {
      judge(used);
      return;
    }
    for (ClusterId c = 0; c <= used; ++c) {
      units[u].cluster = c;
      run(u + 1, std::max(used, c + 1));
    }
  }

  void judge(uint32_t clusters) {
    std::vector<std::set<NeuronId>> axons(clusters);
    std::vector<uint32_t> columns(clusters, 0);
    std::map<NeuronId, ClusterId> home;
    for (UnitId u = 0; u < units.size(); ++u) {
      ++columns[units[u].cluster];
      axons[units[u].cluster].insert(graph.sources.begin() + ptrdiff_t(offsets[u]),
                                     graph.sources.begin() + ptrdiff_t(offsets[u + 1]));
      if (units[u].carryTo == kNone)
        home[units[u].neuron] = units[u].cluster;
    }
    uint64_t traffic = 0, rows = 0;
    for (ClusterId c = 0; c < clusters; ++c) {
      if (columns[c] > crossbar.columns || axons[c].size() > crossbar.rows)
        return;
      rows += axons[c].size();
      for (NeuronId n : axons[c])
        if (!home.contains(n) || home[n] != c)
          traffic += graph.spikes[n];
    }
    auto [least, isNew] = leastTraffic.emplace(clusters, traffic);
    if (!isNew)
      least->second = std::min(least->second, traffic);
    leastOfAllTraffic = std::min(leastOfAllTraffic, traffic);
    leastCost = std::min(leastCost, 2 * traffic + rows);
  }

  const SpikingGraph &graph;
  std::vector<Unit> units;
  Crossbar crossbar;
  std::vector<uint64_t> offsets;
};

} // namespace spindle
