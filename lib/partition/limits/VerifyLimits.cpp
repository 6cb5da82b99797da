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
  std::set<uint64_t> seen; // of lists that columns share
  for (auto [begin, end, neuron] : blocks) {
    if (core.axonTypes == 0 && (begin == end || !seen.insert(begin).second))
      continue;
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

/// Words, each with as many whole weights as it has room for, list after list.
static uint64_t wordsFor(const std::vector<uint64_t> &lists, const Crossbar &crossbar) {
  uint64_t words = 0, before = 0, wordsBefore = 0;
  uint64_t perWord = std::max(1u, crossbar.core.wordBits / crossbar.weightBits) *
                     uint64_t(crossbar.weightBits);
  for (uint64_t weights : lists) {
    if (weights != before) { // lists of a layer are of one length
      wordsBefore = 0;
      for (uint64_t room = 0; room < weights * crossbar.weightBits; room += perWord)
        ++wordsBefore;
      before = weights;
    }
    words += wordsBefore;
  }
  return words;
}

/// How many weights each list has that is stored.
static std::vector<uint64_t> storedLists(const SpikingGraph &graph,
                                         const std::vector<Block> &blocks, WeightSharing sharing) {
  std::vector<uint64_t> stored;
  std::set<std::vector<float>> kernels;
  for (auto [begin, end, neuron] : blocks)
    if (sharing == WeightSharing::None || kernels
                                              .emplace(graph.weights.begin() + ptrdiff_t(begin),
                                                       graph.weights.begin() + ptrdiff_t(end))
                                              .second)
      stored.push_back(end - begin);
  return stored;
}

static std::string faultOfCluster(const SpikingGraph &graph, const std::vector<Block> &blocks,
                                  ClusterId cluster, const Crossbar &crossbar,
                                  const Tables &tables) {
  const CoreLimits &core = crossbar.core;
  for (auto [begin, end, neuron] : blocks)
    if (core.limits(core.fanIn) && double(end - begin) > core.fanIn.value)
      return fmt::format("a column of cluster {} has {} synapses, the chip allows {}", cluster,
                         end - begin, core.fanIn.value);
  if (core.limits(core.synapseWords))
    if (uint64_t words = wordsFor(storedLists(graph, blocks, core.sharing), crossbar);
        double(words) > core.synapseWords.value)
      return fmt::format("cluster {} takes {} words of synapse memory, the chip has {}", cluster,
                         words, core.synapseWords.value);
  return core.limits(core.axons) ? faultOfAxons(graph, blocks, cluster, core, tables) : "";
}

/// Of each cluster. Where neurons share lists, parts of these are what their columns read.
static std::vector<std::vector<Block>> blocksOfClusters(const SpikingGraph &graph,
                                                        const Clustering &clustering) {
  std::vector<std::vector<Block>> blocks(clustering.clusters.size());
  const std::vector<Unit> &units = clustering.units;
  std::vector<uint64_t> offsets;
  if (!graph.sharesLists())
    offsets = unitOffsets(graph, units);
  std::vector<uint32_t> parts(graph.sharesLists() ? graph.neurons() : 0, 0), before(parts.size());
  for (UnitId u = 0; u < units.size() && graph.sharesLists(); ++u)
    ++parts[units[u].neuron];
  for (UnitId u = 0; u < units.size(); ++u) {
    NeuronId n = units[u].neuron;
    Block block{0, 0, n};
    if (graph.sharesLists()) {
      uint64_t first = graph.offsets[graph.lists[n]], all = graph.fanIn(n), part = before[n]++;
      block.begin = first + all * part / parts[n];
      block.end = first + all * (part + 1) / parts[n];
    } else {
      block.begin = offsets[u];
      block.end = offsets[u + 1];
    }
    blocks[units[u].cluster].push_back(block);
  }
  return blocks;
}

llvm::Error verifyLimits(const SpikingGraph &graph, const Clustering &clustering,
                         const Crossbar &crossbar) {
  const CoreLimits &core = crossbar.core;
  if (!core.limits(core.synapseWords) && !core.limits(core.axons) && !core.limits(core.fanIn))
    return llvm::Error::success();
  std::vector<std::vector<Block>> blocks = blocksOfClusters(graph, clustering);
  Tables tables;
  if (core.axonTypes > 0)
    tables = weightsOfPopulations(graph, core.axonTypes);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    if (std::string fault = faultOfCluster(graph, blocks[c], c, crossbar, tables); !fault.empty())
      return checkError("clustering", fault);
  return llvm::Error::success();
}

} // namespace spindle
