#include "lib/partition/Decompose.h"

#include <algorithm>

namespace spindle {

std::vector<Unit> decompose(const SpikingGraph &graph, const Crossbar &crossbar, FanInShape shape) {
  std::vector<Unit> units;
  for (const Population &population : graph.populations) {
    if (population.kind == PopulationKind::Input)
      continue;
    for (NeuronId n = population.first; n < population.first + population.size; ++n) {
      uint32_t fanIn = graph.fanIn(n), parts = 1;
      if (fanIn > crossbar.rows)
        parts =
            shape == FanInShape::Pairs ? fanIn - 1 : (fanIn + crossbar.rows - 1) / crossbar.rows;
      auto last = static_cast<UnitId>(units.size() + parts - 1);
      for (auto u = static_cast<UnitId>(units.size()); u <= last; ++u)
        units.push_back({n, kNone, carryTarget(shape, u, last)});
    }
  }
  return units;
}

} // namespace spindle
