#include "lib/mapping/Matching.h"
#include "lib/mapping/Strategies.h"

#include "core/support/CounterRandom.h"

#include <algorithm>
#include <tuple>

namespace spindle {

/// The box of tiles nearest to a square among the smallest that hold so many.
static Mesh smallestBox(const PlacementProblem &problem, uint32_t tiles) {
  Mesh best = problem.mesh;
  auto rank = [](const Mesh &box) {
    return std::tuple(box.tiles(), std::max(box.columns, box.rows), box.rows);
  };
  for (uint32_t columns = 1; columns <= problem.mesh.columns; ++columns) {
    Mesh box{columns, (std::max(tiles, 1u) + columns - 1) / columns};
    if (box.rows <= problem.mesh.rows && rank(box) < rank(best))
      best = box;
  }
  return best;
}

/// Where `extent` of `length` places begin that have `middle` in their middle, or as near as may
/// be.
static uint32_t first(uint32_t middle, uint32_t extent, uint32_t length) {
  return std::min(middle - std::min(middle, extent / 2), length - extent);
}

/// The crossbars of a box in the middle of which the host stands, as far as the mesh lets it.
static Slots slotsIn(const PlacementProblem &problem, const Mesh &box) {
  TileId host = problem.mesh.hostTiles.front();
  uint32_t left = first(problem.mesh.x(host), box.columns, problem.mesh.columns);
  uint32_t top = first(problem.mesh.y(host), box.rows, problem.mesh.rows);
  Slots slots;
  for (uint32_t y = 0; y < box.rows; ++y)
    for (uint32_t x = 0; x < box.columns; ++x)
      for (uint32_t crossbar = 0; crossbar < problem.crossbarsPerTile; ++crossbar)
        slots.push_back(problem.mesh.at(left + x, top + y) * problem.crossbarsPerTile + crossbar);
  return slots;
}

/// Crossbars in random order, and those first in which the clusters are, in theirs: none where they
/// do not all fit.
static Slots drawSlots(const PlacementProblem &problem, Slots slots, CounterRandom random) {
  auto count = static_cast<uint32_t>(slots.size());
  if (count < problem.clusters)
    return {};
  bool hasFaults = problem.room.crossbars.hasFaults();
  for (uint32_t c = 0; c < (hasFaults ? count : problem.clusters); ++c)
    std::swap(slots[c], slots[c + random.below(count - c)]);
  if (!hasFaults) {
    slots.resize(problem.clusters);
    return slots;
  }
  Matching matching(problem, std::move(slots));
  for (ClusterId c = 0; c < problem.clusters; ++c)
    if (!matching.add(c))
      return {};
  return matching.slots();
}

/// Where faults leave too little room in a box, one for a tile more is taken.
Slots placeRandomly(const PlacementProblem &problem, const MappingOptions &options,
                    const Progress &) {
  CounterRandom random(static_cast<uint64_t>(options.seed));
  uint32_t tiles = (problem.clusters + problem.crossbarsPerTile - 1) / problem.crossbarsPerTile;
  for (;; ++tiles) {
    Slots slots = drawSlots(problem, slotsIn(problem, smallestBox(problem, tiles)), random);
    if (slots.size() == problem.clusters)
      return slots;
  }
}

} // namespace spindle
