// The multilevel scheme: search on groups of units first, then on ever smaller ones.
#pragma once

#include "lib/partition/packing/Packing.h"
#include "lib/partition/refine/Coarsen.h"

#include <deque>

namespace spindle {

/// Hypergraphs from the units (not held) to the coarsest; a group takes at most half a crossbar.
class Levels {
public:
  Levels(const Hypergraph &units, const Crossbar &crossbar);

  const Hypergraph &coarsest() const { return levels.back().hypergraph; }

  /// Refines a packing of the coarsest level, then level by level down to the units.
  Packing refineDown(Packing packing, uint32_t passes, uint64_t seed) const;

private:
  const Hypergraph &finest;
  std::deque<CoarseHypergraph> levels; // finest first; packings point into it
};

} // namespace spindle
