#include "lib/partition/refine/Levels.h"

#include "lib/partition/refine/Refine.h"

#include <algorithm>

namespace spindle {

Levels::Levels(const Hypergraph &units, const Crossbar &crossbar) : finest(units) {
  // An eighth of a crossbar leaves the search a choice where a layer has hundreds of twins.
  levels.push_back(mergeTwins(units, std::max(1u, crossbar.columns / 8)));
  Crossbar half = crossbar;
  half.rows = std::max(1u, crossbar.rows / 2);
  half.columns = std::max(1u, crossbar.columns / 2);
  while (true) {
    CoarseHypergraph next = mergePairs(coarsest(), half);
    if (next.hypergraph.vertices() > 0.95 * coarsest().vertices())
      break;
    levels.push_back(std::move(next));
  }
}

Packing Levels::refineDown(Packing packing, uint32_t passes, uint64_t seed) const {
  for (size_t level = levels.size(); level-- > 0;) {
    CounterRandom random(seed, static_cast<uint32_t>(level) + 1);
    refine(packing, passes, random);
    const Hypergraph &finer = level == 0 ? finest : levels[level - 1].hypergraph;
    packing = Packing(finer, levels[level].coarseOf, packing);
  }
  CounterRandom random(seed);
  refine(packing, passes, random);
  return packing;
}

} // namespace spindle
