#include "lib/sdf/BuildSdf.h"

#include "core/chip/work/CrossbarWork.h"
#include "core/support/StrongComponents.h"
#include "core/chip/work/StepWork.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

constexpr double kMostCycles = 1e15; // below 2^53, so that each is exact

/// Per sample, of the work that the chip's slots take.
double executionCycles(double workCycles, const Clustering &clustering, const Chip &chip) {
  double cycles = barrierCyclesPerSample(chip, clustering) + workCycles;
  if (chip.synchronisation == Synchronisation::Free)
    cycles = std::max(cycles, double(clustering.steps) * double(chip.stepCycles()));
  return std::max(std::ceil(cycles), 1.0);
}

/// Of each cluster, in cycles of work per sample: from the mean, as if all of it were there at
/// once.
std::vector<double> meanWork(const Clustering &clustering, const Chip &chip) {
  std::vector<double> cycles;
  for (const CrossbarWork &work : workOf(clustering))
    cycles.push_back(workCycles(work, chip.latency) / static_cast<double>(clustering.samples));
  return cycles;
}

llvm::Error addActor(std::string name, double cycles, SdfGraph &graph) {
  if (!(cycles <= kMostCycles))
    return inputError("clustering", fmt::format("{} takes {} cycles per sample, expected at most "
                                                "{}",
                                                name, cycles, kMostCycles));
  graph.actors.push_back({std::move(name), static_cast<uint64_t>(cycles)});
  return llvm::Error::success();
}

} // namespace

llvm::Expected<SdfGraph> buildSdf(const Clustering &clustering, const Chip &chip,
                                  const SdfOptions &options, const SpikeTrace *spikes,
                                  const SpikingGraph *neurons) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  if (clustering.samples == 0 || clustering.clusters.empty())
    return inputError("clustering",
                      fmt::format("{} clusters and {} recorded samples, expected at "
                                  "least one of each; record samples in the emulation",
                                  clustering.clusters.size(), clustering.samples));
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const ClusterLink &link : clustering.links)
    if (link.from != kNone)
      arcs.emplace_back(link.from, link.to);
  auto clusters = static_cast<uint32_t>(clustering.clusters.size());
  std::vector<uint32_t> component = strongComponents(clusters, arcs);

  SdfGraph graph;
  graph.name = "clusters";
  StepWork steps;
  if (spikes && chip.synchronisation != Synchronisation::Free) {
    SPINDLE_ASSIGN(steps, stepWork(clustering, *spikes, chip, neurons));
  }
  bool hasSteps = !steps.clusterCycles.empty();
  std::vector<double> work = hasSteps ? steps.clusterCycles : meanWork(clustering, chip);
  for (ClusterId c = 0; c < clusters; ++c)
    SPINDLE_RETURN_IF_ERROR(
        addActor(fmt::format("cluster{}", c), executionCycles(work[c], clustering, chip), graph));
  auto bits = static_cast<uint32_t>(options.packetBits);
  for (const ClusterLink &link : clustering.links) {
    if (link.from == kNone)
      continue;
    uint64_t packets =
        llvm::divideCeil(link.spikes + partialSumPackets(clustering, link), clustering.samples);
    if (packets > UINT32_MAX)
      return inputError("clustering", fmt::format("link {} -> {} carries {} packets per sample, "
                                                  "expected at most {}",
                                                  link.from, link.to, packets, UINT32_MAX));
    auto rate = static_cast<uint32_t>(std::max<uint64_t>(packets, 1));
    bool isCircular = component[link.from] == component[link.to];
    graph.channels.push_back({link.from, link.to, rate, rate, isCircular ? rate : 0u, bits});
  }
  for (ClusterId c = 0; c < clusters; ++c)
    graph.channels.push_back({c, c, 1, 1, 1, 0});
  if (hasSteps) { // the chip as a whole does one sample at a time
    auto actor = static_cast<ActorId>(graph.actors.size());
    SPINDLE_RETURN_IF_ERROR(
        addActor("steps", executionCycles(steps.cycles, clustering, chip), graph));
    graph.channels.push_back({actor, actor, 1, 1, 1, 0});
  }
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  return graph;
}

} // namespace spindle
