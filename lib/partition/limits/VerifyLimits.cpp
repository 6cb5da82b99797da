#include "lib/partition/limits/VerifyLimits.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>

namespace spindle {

/// Of its ascending synapses, those that a column reads.
struct Block {
  uint64_t begin, end;
};

static std::string faultOfCluster(const SpikingGraph &graph, const std::vector<Block> &blocks,
                                  ClusterId cluster, const Crossbar &crossbar) {
  const CoreLimits &core = crossbar.core;
  std::vector<std::vector<float>> kernels; // of all columns
  std::set<NeuronId> sources;
  for (auto [begin, end] : blocks) {
    if (core.limits(core.fanIn) && double(end - begin) > core.fanIn.value)
      return fmt::format("a column of cluster {} has {} synapses, the chip allows {}", cluster,
                         end - begin, core.fanIn.value);
    if (core.limits(core.synapseWords) && core.sharing == WeightSharing::Kernel)
      kernels.emplace_back(graph.weights.begin() + ptrdiff_t(begin),
                           graph.weights.begin() + ptrdiff_t(end));
    else
      kernels.emplace_back(end - begin, 0.0f);
    sources.insert(graph.sources.begin() + ptrdiff_t(begin),
                   graph.sources.begin() + ptrdiff_t(end));
  }
  if (core.limits(core.synapseWords)) {
    std::ranges::sort(kernels);
    double words = 0;
    for (size_t k = 0; k < kernels.size(); ++k) {
      bool isStored =
          core.sharing == WeightSharing::Kernel && k > 0 && kernels[k] == kernels[k - 1];
      uint64_t room = 0;
      while (!isStored && room < kernels[k].size() * crossbar.weightBits) {
        // A weight lies in one word.
        room += uint64_t(core.wordBits / crossbar.weightBits) * crossbar.weightBits;
        ++words;
      }
    }
    if (words > core.synapseWords.value)
      return fmt::format("cluster {} takes {} words of synapse memory, the chip has {}", cluster,
                         words, core.synapseWords.value);
  }
  if (core.limits(core.axons)) {
    size_t axons = sources.size();
    if (core.axonsPer == AxonsPer::Population) {
      axons = 0;
      for (const Population &population : graph.populations) {
        auto first = sources.lower_bound(population.first);
        axons += first != sources.end() && *first < population.first + population.size;
      }
    }
    if (double(axons) > core.axons.value)
      return fmt::format("cluster {} takes {} axons, the chip has {}", cluster, axons,
                         core.axons.value);
  }
  return "";
}

llvm::Error verifyLimits(const SpikingGraph &graph, const Clustering &clustering,
                         const Crossbar &crossbar) {
  const CoreLimits &core = crossbar.core;
  if (!core.limits(core.synapseWords) && !core.limits(core.axons) && !core.limits(core.fanIn))
    return llvm::Error::success();
  std::vector<uint64_t> offsets = unitOffsets(graph, clustering.units);
  std::vector<std::vector<Block>> blocks(clustering.clusters.size());
  for (UnitId u = 0; u < clustering.units.size(); ++u)
    blocks[clustering.units[u].cluster].push_back({offsets[u], offsets[u + 1]});
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    if (std::string fault = faultOfCluster(graph, blocks[c], c, crossbar); !fault.empty())
      return checkError("clustering", fault);
  return llvm::Error::success();
}

} // namespace spindle
