#include "lib/mapping/Strategies.h"

#include "core/support/CounterRandom.h"

#include <numeric>

namespace spindle {

Slots placeRandomly(const PlacementProblem &problem, const MappingOptions &options,
                    const Progress &) {
  CounterRandom random(static_cast<uint64_t>(options.seed));
  Slots slots(problem.slots());
  std::iota(slots.begin(), slots.end(), 0);
  for (uint32_t c = 0; c < problem.clusters; ++c)
    std::swap(slots[c], slots[c + random.below(problem.slots() - c)]);
  slots.resize(problem.clusters);
  return slots;
}

} // namespace spindle
