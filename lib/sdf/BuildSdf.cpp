#include "lib/sdf/BuildSdf.h"

#include "lib/sdf/StrongComponents.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spindle {

namespace {

uint64_t executionCycles(const Cluster &cluster, uint64_t partialSumsIn,
                         const Clustering &clustering, const LatencyTable &latency) {
  uint64_t rowReads = partialSumsIn, cells = 0; // of all recorded samples
  for (const Axon &axon : cluster.axons) {
    rowReads += axon.spikes;
    cells += axon.spikes * axon.synapses;
  }
  double stepCycles =
      cluster.units * latency.neuronUpdateCycles.value + latency.stepBarrierCycles.value;
  double eventCycles = (static_cast<double>(rowReads) * latency.rowReadCycles.value +
                        static_cast<double>(cells) * latency.synapseCycles.value) /
                       static_cast<double>(clustering.samples);
  double cycles = std::ceil(clustering.steps * stepCycles + eventCycles);
  return static_cast<uint64_t>(std::max(cycles, 1.0));
}

/// Position of every cluster when sorted by the mean id of its neurons: the order of the layers.
std::vector<uint32_t> flowOrder(const Clustering &clustering) {
  std::vector<uint64_t> sum(clustering.clusters.size()), count(clustering.clusters.size());
  for (const Unit &unit : clustering.units) {
    sum[unit.cluster] += unit.neuron;
    ++count[unit.cluster];
  }
  std::vector<ClusterId> sorted(clustering.clusters.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](ClusterId a, ClusterId b) {
    return std::pair{sum[a] * count[b], a} < std::pair{sum[b] * count[a], b};
  });
  std::vector<uint32_t> order(sorted.size());
  for (uint32_t position = 0; position < sorted.size(); ++position)
    order[sorted[position]] = position;
  return order;
}

} // namespace

llvm::Expected<SdfGraph> buildSdf(const Clustering &clustering, const Chip &chip,
                                  const SdfOptions &options) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  if (clustering.samples == 0 || clustering.clusters.empty())
    return inputError("clustering",
                      fmt::format("{} clusters and {} recorded samples, expected at "
                                  "least one of each; record samples in the emulation",
                                  clustering.clusters.size(), clustering.samples));
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  std::vector<uint64_t> partialSumsIn(clustering.clusters.size(), 0);
  for (const ClusterLink &link : clustering.links) {
    partialSumsIn[link.to] += link.partialSums;
    if (link.from != kNone)
      arcs.emplace_back(link.from, link.to);
  }
  auto clusters = static_cast<uint32_t>(clustering.clusters.size());
  std::vector<uint32_t> component = strongComponents(clusters, arcs);
  std::vector<uint32_t> order = flowOrder(clustering);

  SdfGraph graph;
  graph.name = "clusters";
  for (ClusterId c = 0; c < clusters; ++c)
    graph.actors.push_back(
        {fmt::format("cluster{}", c),
         executionCycles(clustering.clusters[c], partialSumsIn[c], clustering, chip.latency)});
  auto bits = static_cast<uint32_t>(options.packetBits);
  for (const ClusterLink &link : clustering.links) {
    if (link.from == kNone)
      continue;
    uint64_t packets = llvm::divideCeil(link.spikes + link.partialSums, clustering.samples);
    if (packets > UINT32_MAX)
      return inputError("clustering", fmt::format("link {} -> {} carries {} packets per sample, "
                                                  "expected at most {}",
                                                  link.from, link.to, packets, UINT32_MAX));
    auto rate = static_cast<uint32_t>(std::max<uint64_t>(packets, 1));
    bool isBack = component[link.from] == component[link.to] && order[link.from] > order[link.to];
    graph.channels.push_back({link.from, link.to, rate, rate, isBack ? rate : 0u, bits});
  }
  for (ClusterId c = 0; c < clusters; ++c)
    graph.channels.push_back({c, c, 1, 1, 1, 0});
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  return graph;
}

} // namespace spindle
