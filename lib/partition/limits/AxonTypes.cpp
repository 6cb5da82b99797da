#include "lib/partition/limits/AxonTypes.h"

#include "lib/partition/Decompose.h"

#include <algorithm>

namespace spindle {

std::optional<std::vector<float>> tableOfWeights(std::span<const float> weights, uint32_t most) {
  std::vector<float> table;
  for (float weight : weights) {
    auto place = std::ranges::lower_bound(table, weight);
    if (weight == 0 || (place != table.end() && *place == weight))
      continue;
    if (table.size() == most)
      return std::nullopt;
    table.insert(place, weight);
  }
  return table;
}

std::vector<uint8_t> axonTypes(const SpikingGraph &graph, const std::vector<Unit> &units,
                               uint32_t most) {
  std::vector<uint8_t> types(graph.synapses());
  auto setTypes = [&](uint64_t begin, uint64_t end) {
    std::span weights(graph.weights.data() + begin, graph.weights.data() + end);
    std::optional<std::vector<float>> table = tableOfWeights(weights, most);
    for (uint64_t s = begin; table && s < end; ++s)
      types[s] = uint8_t(std::ranges::lower_bound(*table, graph.weights[s]) - table->begin());
    return table.has_value();
  };
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  UnitId unit = 0;
  for (const Population &population : graph.populations) {
    NeuronId end = population.first + population.size;
    bool isOneTable = setTypes(graph.offsets[population.first], graph.offsets[end]);
    for (; unit < units.size() && units[unit].neuron < end; ++unit)
      if (!isOneTable)
        setTypes(offsets[unit], offsets[unit + 1]);
  }
  return types;
}

} // namespace spindle
