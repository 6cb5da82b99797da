#include "lib/partition/Decompose.h"

#include <algorithm>

namespace spindle {

std::vector<Unit> decompose(const SpikingGraph &graph, const Crossbar &crossbar) {
  std::vector<Unit> units;
  for (const Population &population : graph.populations) {
    if (population.kind == PopulationKind::Input)
      continue;
    for (NeuronId n = population.first; n < population.first + population.size; ++n) {
      uint32_t parts = std::max(1u, (graph.fanIn(n) + crossbar.rows - 1) / crossbar.rows);
      for (uint32_t part = 0; part < parts; ++part) {
        UnitId next = static_cast<UnitId>(units.size()) + 1;
        units.push_back({n, kNone, part + 1 == parts ? kNone : next});
      }
    }
  }
  return units;
}

} // namespace spindle
