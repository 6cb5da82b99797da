#include "lib/partition/limits/CoreUses.h"

#include "lib/partition/limits/AxonTypes.h"

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

struct Axons {
  std::vector<uint32_t> ofSynapse;
  uint64_t number;
};

/// The axons of sources or populations, and their number.
Axons untypedAxons(const SpikingGraph &graph, AxonsPer per) {
  if (per == AxonsPer::Source)
    return {graph.sources, graph.neurons()};
  std::vector<uint32_t> populationOf;
  for (uint32_t p = 0; p < graph.populations.size(); ++p)
    populationOf.insert(populationOf.end(), graph.populations[p].size, p);
  Axons axons{graph.sources, graph.populations.size()};
  for (uint32_t &axon : axons.ofSynapse)
    axon = populationOf[axon];
  return axons;
}

/// One for each type that occurs, as few of them do.
Axons typedAxons(const SpikingGraph &graph, const std::vector<Unit> &units,
                 const CoreLimits &core) {
  Axons axons = untypedAxons(graph, core.axonsPer);
  std::vector<uint8_t> types = axonTypes(graph, units, core.axonTypes);
  auto keyOf = [&](uint64_t s) { return uint64_t(axons.ofSynapse[s]) * core.axonTypes + types[s]; };
  std::vector<uint64_t> keys;
  for (uint64_t s = 0; s < types.size(); ++s)
    keys.push_back(keyOf(s));
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  for (uint64_t s = 0; s < types.size(); ++s)
    axons.ofSynapse[s] = uint32_t(std::ranges::lower_bound(keys, keyOf(s)) - keys.begin());
  axons.number = keys.size();
  return axons;
}

SharedUse axonUses(const SpikingGraph &graph, const std::vector<Unit> &units,
                   const Crossbar &crossbar) {
  const CoreLimits &core = crossbar.core;
  bool isTyped = core.axonTypes > 0;
  Axons axons = isTyped ? typedAxons(graph, units, core) : untypedAxons(graph, core.axonsPer);
  SharedUse use;
  use.limit = core.most(core.axons);
  use.sizes.assign(axons.number, 1);
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  std::vector<uint32_t> column;
  for (UnitId u = 0; u < units.size(); ++u) {
    column.clear();
    for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
      if (!isTyped || graph.weights[s] != 0)
        column.push_back(axons.ofSynapse[s]);
    std::ranges::sort(column);
    auto [last, end] = std::ranges::unique(column);
    use.items.members.insert(use.items.members.end(), column.begin(), last);
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

/// Weights that the types of axons cannot tell apart.
llvm::Error checkAxonTypes(const SpikingGraph &graph, const std::vector<Unit> &units,
                           const Chip &chip) {
  uint32_t types = chip.crossbar.core.axonTypes;
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  for (UnitId u = 0; u < units.size(); ++u)
    if (!tableOfWeights(weightsOf(graph, offsets, u), types))
      return inputError(chip.path,
                        fmt::format("layer '{}' has more than {} different weights in one column, "
                                    "crossbar.limits.axon_types is {}; round them "
                                    "(fixed_point.weight_bits: 2 leaves -1 and 1 of a layer), or "
                                    "leave out the key",
                                    layerOf(graph, units[u].neuron), types, types));
  return llvm::Error::success();
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

llvm::Error checkColumnFits(const Chip &chip, const std::string &layer, uint64_t synapses,
                            uint64_t axons) {
  const CoreLimits &core = chip.crossbar.core;
  struct Need {
    uint64_t needed;
    const Sourced &limit;
    const char *what, *key;
  };
  for (const Need &need :
       {Need{synapses, core.fanIn, "synapses", "fan_in"},
        {wordsOf(chip.crossbar, synapses), core.synapseWords, "words of synapse memory",
         "synapse_words"},
        {axons, core.axons,
         core.axonsPer == AxonsPer::Population ? "axons of populations" : "axons", "axons"}})
    if (core.limits(need.limit) && need.needed > core.most(need.limit))
      return inputError(
          chip.path,
          fmt::format("layer '{}' needs {} {} for one column, crossbar.limits.{} is {}; divide "
                      "neurons over crossbars of fewer rows, or make the layer smaller",
                      layer, need.needed, need.what, need.key, core.most(need.limit)));
  return llvm::Error::success();
}

llvm::Error checkUnitsFit(const SpikingGraph &graph, const std::vector<Unit> &units,
                          const Chip &chip) {
  const CoreLimits &core = chip.crossbar.core;
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  if (core.axonTypes > 0)
    SPINDLE_RETURN_IF_ERROR(checkAxonTypes(graph, units, chip));
  std::vector<uint64_t> axons(units.size(), 0);
  if (core.limits(core.axons)) {
    SharedUse use = axonUses(graph, units, chip.crossbar);
    for (UnitId u = 0; u < units.size(); ++u)
      axons[u] = use.items[u].size();
  }
  for (UnitId u = 0; u < units.size(); ++u)
    SPINDLE_RETURN_IF_ERROR(checkColumnFits(chip, layerOf(graph, units[u].neuron),
                                            offsets[u + 1] - offsets[u], axons[u]));
  return llvm::Error::success();
}

} // namespace spindle
