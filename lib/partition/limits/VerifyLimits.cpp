#include "lib/partition/limits/VerifyLimits.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>
#include <utility>

namespace spindle {

/// Of its ascending synapses, those that a column reads.
struct Block {
  uint64_t begin, end;
  NeuronId neuron;
};

/// Populations follow each other.
static size_t populationOf(const SpikingGraph &graph, NeuronId neuron) {
  auto next = std::ranges::upper_bound(graph.populations, neuron, {}, &Population::first);
  return size_t(next - graph.populations.begin()) - 1;
}

/// The weights but for 0, which takes no axon; all that are over `most` are one too many.
static std::set<float> weightsBetween(const SpikingGraph &graph, uint64_t begin, uint64_t end,
                                      size_t most) {
  std::set<float> weights;
  for (uint64_t s = begin; s < end && weights.size() <= most; ++s)
    if (graph.weights[s] != 0)
      weights.insert(graph.weights[s]);
  return weights;
}

/// Of each population, where its neurons have few enough to share a table.
using Tables = std::vector<std::set<float>>;

static Tables weightsOfPopulations(const SpikingGraph &graph, uint32_t types) {
  Tables tables;
  for (const Population &population : graph.populations)
    tables.push_back(weightsBetween(graph, graph.offsets[population.first],
                                    graph.offsets[population.first + population.size], types));
  return tables;
}

/// An axon is of a source, or of a population, and of a type.
static std::string faultOfAxons(const SpikingGraph &graph, const std::vector<Block> &blocks,
                                ClusterId cluster, const CoreLimits &core, const Tables &tables) {
  std::set<std::pair<size_t, size_t>> axons;
  for (auto [begin, end, neuron] : blocks) {
    std::set<float> column;
    const std::set<float> *table = &column;
    if (core.axonTypes > 0) {
      table = &tables[populationOf(graph, neuron)];
      if (table->size() > core.axonTypes) {
        column = weightsBetween(graph, begin, end, core.axonTypes);
        table = &column;
      }
      if (table->size() > core.axonTypes)
        return fmt::format("a column of cluster {} has more than {} different weights, and axons "
                           "no more types",
                           cluster, core.axonTypes);
    }
    for (uint64_t s = begin; s < end; ++s) {
      size_t owner = core.axonsPer == AxonsPer::Population ? populationOf(graph, graph.sources[s])
                                                           : graph.sources[s];
      if (core.axonTypes == 0)
        axons.insert({owner, 0});
      else if (auto found = table->find(graph.weights[s]); found != table->end())
        axons.insert({owner, size_t(std::distance(table->begin(), found))});
    }
  }
  if (double(axons.size()) > core.axons.value)
    return fmt::format("cluster {} takes {} axons, the chip has {}", cluster, axons.size(),
                       core.axons.value);
  return "";
}

static std::string faultOfCluster(const SpikingGraph &graph, const std::vector<Block> &blocks,
                                  ClusterId cluster, const Crossbar &crossbar,
                                  const Tables &tables) {
  const CoreLimits &core = crossbar.core;
  std::vector<std::vector<float>> kernels; // of all columns
  for (auto [begin, end, neuron] : blocks) {
    if (core.limits(core.fanIn) && double(end - begin) > core.fanIn.value)
      return fmt::format("a column of cluster {} has {} synapses, the chip allows {}", cluster,
                         end - begin, core.fanIn.value);
    if (core.limits(core.synapseWords) && core.sharing == WeightSharing::Kernel)
      kernels.emplace_back(graph.weights.begin() + ptrdiff_t(begin),
                           graph.weights.begin() + ptrdiff_t(end));
    else
      kernels.emplace_back(end - begin, 0.0f);
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
  return core.limits(core.axons) ? faultOfAxons(graph, blocks, cluster, core, tables) : "";
}

llvm::Error verifyLimits(const SpikingGraph &graph, const Clustering &clustering,
                         const Crossbar &crossbar) {
  const CoreLimits &core = crossbar.core;
  if (!core.limits(core.synapseWords) && !core.limits(core.axons) && !core.limits(core.fanIn))
    return llvm::Error::success();
  std::vector<uint64_t> offsets = unitOffsets(graph, clustering.units);
  std::vector<std::vector<Block>> blocks(clustering.clusters.size());
  for (UnitId u = 0; u < clustering.units.size(); ++u)
    blocks[clustering.units[u].cluster].push_back(
        {offsets[u], offsets[u + 1], clustering.units[u].neuron});
  Tables tables;
  if (core.axonTypes > 0)
    tables = weightsOfPopulations(graph, core.axonTypes);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    if (std::string fault = faultOfCluster(graph, blocks[c], c, crossbar, tables); !fault.empty())
      return checkError("clustering", fault);
  return llvm::Error::success();
}

} // namespace spindle
