#include "lib/partition/objectives/Search.h"

#include "lib/partition/packing/BuildClustering.h"

#include <numeric>

namespace spindle {

PackingRules PartitionProblem::rules() const {
  PackingRules rules = chip.crossbar;
  rules.latency = chip.latency;
  rules.steps = double(graph.samples) * graph.steps;
  return rules;
}

static Clustering shaped(Clustering clustering, const PartitionOptions &options) {
  clustering.shape = options.shape;
  clustering.sums = options.sums;
  clustering.order = options.order();
  return clustering;
}

Clustering PartitionProblem::cluster(const Packing &packing) const {
  return groups ? shaped(groups->cluster(packing), options) : cluster(packing.assignment());
}

Clustering PartitionProblem::cluster(const std::vector<ClusterId> &clusterOf) const {
  return shaped(buildClustering(graph, units, clusterOf, chip.crossbar), options);
}

static uint64_t packetsOf(const Clustering &clustering) {
  uint64_t packets = 0;
  for (const ClusterLink &link : clustering.links)
    packets += link.spikes + partialSumPackets(clustering, link);
  return packets;
}

/// Fewer and fewer packets for a row.
static llvm::Expected<Clustering> searchCrossbars(const PartitionProblem &problem,
                                                  Clustering best) {
  constexpr std::pair<int64_t, int64_t> weights[] = {{1, 2}, {1, 8}, {0, 1}}; // packets, rows
  for (auto [spike, row] : weights) {
    PackingRules rules = problem.rules();
    rules.spikeWeight = spike;
    rules.rowWeight = row;
    SPINDLE_ASSIGN(Packing packing, problem.strategy(problem.hypergraph, rules, problem.options));
    if (packing.clusters() > best.clusters.size())
      continue;
    Clustering next = problem.cluster(packing);
    if (std::pair(next.clusters.size(), packetsOf(next)) <
        std::pair(best.clusters.size(), packetsOf(best)))
      best = std::move(next);
  }
  return best;
}

llvm::Expected<Clustering> searchObjective(const PartitionProblem &problem) {
  SPINDLE_ASSIGN(Packing packing,
                 problem.strategy(problem.hypergraph, problem.rules(), problem.options));
  Clustering clustering = problem.cluster(packing);
  switch (problem.options.objective) {
  case PartitionObjective::Traffic:
    return clustering;
  case PartitionObjective::Crossbars:
    return searchCrossbars(problem, std::move(clustering));
  case PartitionObjective::Time:
  case PartitionObjective::Energy:
    return searchTime(problem, std::move(clustering));
  }
  llvm_unreachable("every objective has a case");
}

} // namespace spindle
