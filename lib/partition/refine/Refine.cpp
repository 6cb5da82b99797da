#include "lib/partition/refine/Refine.h"

namespace spindle {

/// A round that saves less than this part of the cost is the last one.
static constexpr int64_t kWorthwhile = 500;

void refine(Packing &packing, uint32_t passes, CounterRandom &random) {
  dissolveClusters(packing);
  for (uint32_t pass = 0; pass < passes; ++pass)
    if (moveVertices(packing) + exchangeVertices(packing, random) <= packing.cost() / kWorthwhile)
      break;
  dissolveClusters(packing);
}

} // namespace spindle
