#include "lib/partition/Refine.h"

namespace spindle {

void refine(Packing &packing, uint32_t passes, CounterRandom &random) {
  dissolveClusters(packing);
  for (uint32_t pass = 0; pass < passes; ++pass)
    if (moveVertices(packing) + exchangeVertices(packing, random) == 0)
      break;
  dissolveClusters(packing);
}

} // namespace spindle
