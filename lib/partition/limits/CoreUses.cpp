#include "lib/partition/limits/CoreUses.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>

namespace spindle {

uint64_t wordsOf(const Crossbar &crossbar, uint64_t weights) {
  uint64_t perWord = std::max(1u, crossbar.core.wordBits / crossbar.weightBits);
  return (weights + perWord - 1) / perWord;
}

namespace {

std::span<const float> weightsOf(const SpikingGraph &graph, const std::vector<uint64_t> &offsets,
                                 UnitId unit) {
  return {graph.weights.data() + offsets[unit], graph.weights.data() + offsets[unit + 1]};
}

SharedUse weightUses(const SpikingGraph &graph, const std::vector<Unit> &units,
                     const Crossbar &crossbar) {
  SharedUse use;
  use.limit = crossbar.core.most(crossbar.core.synapseWords);
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  auto isLess = [](std::span<const float> a, std::span<const float> b) {
    return std::ranges::lexicographical_compare(a, b);
  };
  std::map<std::span<const float>, uint32_t, decltype(isLess)> kernels(isLess);
  for (UnitId u = 0; u < units.size(); ++u) {
    auto item = static_cast<uint32_t>(use.sizes.size());
    uint64_t words = wordsOf(crossbar, offsets[u + 1] - offsets[u]);
    if (crossbar.core.sharing == WeightSharing::Kernel)
      item = kernels.try_emplace(weightsOf(graph, offsets, u), item).first->second;
    if (item == use.sizes.size())
      use.sizes.push_back(words);
    use.items.members.push_back(item);
    use.items.close();
  }
  return use;
}

SharedUse axonUses(const SpikingGraph &graph, const std::vector<Unit> &units,
                   const Crossbar &crossbar) {
  SharedUse use;
  use.limit = crossbar.core.most(crossbar.core.axons);
  bool isPopulation = crossbar.core.axonsPer == AxonsPer::Population;
  std::vector<uint32_t> populationOf;
  for (uint32_t p = 0; p < graph.populations.size(); ++p)
    populationOf.insert(populationOf.end(), graph.populations[p].size, p);
  use.sizes.assign(isPopulation ? graph.populations.size() : graph.neurons(), 1);
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  for (UnitId u = 0; u < units.size(); ++u) {
    // Sources ascend, and so do their populations.
    for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s) {
      uint32_t item = isPopulation ? populationOf[graph.sources[s]] : graph.sources[s];
      if (use.items.members.size() == use.items.offsets.back() || use.items.members.back() != item)
        use.items.members.push_back(item);
    }
    use.items.close();
  }
  return use;
}

std::string layerOf(const SpikingGraph &graph, NeuronId neuron) {
  for (const Population &population : graph.populations)
    if (neuron < population.first + population.size)
      return population.name;
  return "";
}

} // namespace

std::vector<SharedUse> coreUses(const SpikingGraph &graph, const std::vector<Unit> &units,
                                const Crossbar &crossbar) {
  std::vector<SharedUse> uses;
  if (crossbar.core.limits(crossbar.core.synapseWords))
    uses.push_back(weightUses(graph, units, crossbar));
  if (crossbar.core.limits(crossbar.core.axons))
    uses.push_back(axonUses(graph, units, crossbar));
  return uses;
}

llvm::Error checkUnitsFit(const SpikingGraph &graph, const std::vector<Unit> &units,
                          const Chip &chip) {
  const Crossbar &crossbar = chip.crossbar;
  const CoreLimits &core = crossbar.core;
  if (core.limits(core.synapseWords) && core.sharing == WeightSharing::Kernel &&
      graph.weights.size() != graph.synapses())
    return inputError("spiking graph", "the chip stores equal kernels once, but the graph has no "
                                       "weights; use weight_sharing: none");
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  std::vector<uint64_t> axons(units.size(), 0);
  if (core.limits(core.axons)) {
    SharedUse use = axonUses(graph, units, crossbar);
    for (UnitId u = 0; u < units.size(); ++u)
      axons[u] = use.items[u].size();
  }
  const char *smaller = "divide neurons over crossbars of fewer rows, or make the layer smaller";
  for (UnitId u = 0; u < units.size(); ++u) {
    uint64_t synapses = offsets[u + 1] - offsets[u];
    struct Need {
      uint64_t needed;
      const Sourced &limit;
      const char *what, *key;
    };
    for (const Need &need :
         {Need{synapses, core.fanIn, "synapses", "fan_in"},
          {wordsOf(crossbar, synapses), core.synapseWords, "words of synapse memory",
           "synapse_words"},
          {axons[u], core.axons,
           core.axonsPer == AxonsPer::Population ? "axons of populations" : "axons", "axons"}})
      if (core.limits(need.limit) && need.needed > core.most(need.limit))
        return inputError(
            chip.path, fmt::format("layer '{}' needs {} {} for one column, crossbar.limits.{} is "
                                   "{}; {}",
                                   layerOf(graph, units[u].neuron), need.needed, need.what,
                                   need.key, core.most(need.limit), smaller));
  }
  return llvm::Error::success();
}

} // namespace spindle
