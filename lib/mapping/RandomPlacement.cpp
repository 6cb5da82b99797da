#include "lib/mapping/Strategies.h"

#include "core/support/CounterRandom.h"

#include <algorithm>
#include <tuple>

namespace spindle {

/// The box of tiles nearest to a square among the smallest that hold the clusters.
static Mesh smallestBox(const PlacementProblem &problem) {
  uint32_t tiles = (problem.clusters + problem.crossbarsPerTile - 1) / problem.crossbarsPerTile;
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

Slots placeRandomly(const PlacementProblem &problem, const MappingOptions &options,
                    const Progress &) {
  CounterRandom random(static_cast<uint64_t>(options.seed));
  Mesh box = smallestBox(problem);
  TileId host = problem.mesh.hostTiles.front();
  uint32_t left = first(problem.mesh.x(host), box.columns, problem.mesh.columns);
  uint32_t top = first(problem.mesh.y(host), box.rows, problem.mesh.rows);
  Slots slots;
  for (uint32_t y = 0; y < box.rows; ++y)
    for (uint32_t x = 0; x < box.columns; ++x)
      for (uint32_t crossbar = 0; crossbar < problem.crossbarsPerTile; ++crossbar)
        slots.push_back(problem.mesh.at(left + x, top + y) * problem.crossbarsPerTile + crossbar);
  auto count = static_cast<uint32_t>(slots.size());
  for (uint32_t c = 0; c < problem.clusters; ++c)
    std::swap(slots[c], slots[c + random.below(count - c)]);
  slots.resize(problem.clusters);
  return slots;
}

} // namespace spindle
