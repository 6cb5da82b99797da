// The multilevel scheme: search on groups of units first, then on ever smaller ones.
#pragma once

#include "lib/partition/packing/Packing.h"
#include "lib/partition/refine/Coarsen.h"

#include <deque>

namespace spindle {

/// Hypergraphs from the units (not held) to the coarsest; a group takes at most half a crossbar.
class Levels {
public:
  /// Where a packing of the units is given, groups lie in one cluster of it.
  Levels(const Hypergraph &units, const PackingRules &rules, const Packing *packing = nullptr);

  const Hypergraph &coarsest() const { return levels.back().hypergraph; }

  /// The packing that was given, with groups in the place of units.
  Packing onCoarsest(const Packing &packing) const;

  /// Refines a packing of the coarsest level, then level by level down to the units.
  Packing refineDown(Packing packing, uint32_t passes, uint64_t seed) const;

private:
  const Hypergraph &finest;
  std::deque<CoarseHypergraph> levels; // finest first; packings point into it
};

} // namespace spindle
