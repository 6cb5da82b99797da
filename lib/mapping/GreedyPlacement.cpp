#include "lib/mapping/Matching.h"
#include "lib/mapping/Strategies.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace spindle {

namespace {

/// Adds weight · cost(i, position) for every i.
template <typename Cost>
void addDistances(std::vector<int64_t> &costs, int64_t weight, uint32_t position, Cost cost) {
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] += weight * cost(int64_t(i), int64_t(position));
}

class Greedy {
public:
  explicit Greedy(const PlacementProblem &p)
      : problem(p), slots(p.clusters, kNone), taken(p.slots(), false), attraction(p.clusters, 0),
        total(p.clusters, 0) {}

  Slots run() {
    for (ClusterId c = 0; c < problem.clusters; ++c)
      for (size_t i = problem.offsets[c]; i < problem.offsets[c + 1]; ++i)
        total[c] += problem.neighbours[i].weight;
    attract(problem.host());
    for (ClusterId placed = 0; placed < problem.clusters; ++placed) {
      ClusterId c = mostAttracted();
      slots[c] = cheapestSlot(c);
      if (slots[c] == kNone)
        makeRoom(c);
      else
        taken[slots[c]] = true;
      attract(c);
    }
    return slots;
  }

private:
  /// Lets a placed node pull its neighbours.
  void attract(uint32_t node) {
    for (size_t i = problem.offsets[node]; i < problem.offsets[node + 1]; ++i)
      if (uint32_t other = problem.neighbours[i].node; other != problem.host())
        attraction[other] += problem.neighbours[i].weight;
  }

  /// By traffic to the placed ones, then by all traffic, then the lowest.
  ClusterId mostAttracted() const {
    ClusterId best = kNone;
    for (ClusterId c = 0; c < problem.clusters; ++c)
      if (slots[c] == kNone && (best == kNone || std::pair(attraction[c], total[c]) >
                                                     std::pair(attraction[best], total[best])))
        best = c;
    return best;
  }

  /// By cost, then nearest to the middle of the mesh, then the lowest. Manhattan distance is a sum
  /// over x and y, so the costs of all tiles are those of a row plus those of a column, plus the
  /// host's; where there is no grid each tile has its own.
  SlotId cheapestSlot(ClusterId c) const {
    const Mesh &mesh = problem.mesh;
    std::vector<int64_t> costX(mesh.columns, 0), costY(mesh.rows, 0), others;
    if (!mesh.isGrid())
      others.resize(mesh.tiles());
    int64_t hostWeight = 0;
    for (size_t i = problem.offsets[c]; i < problem.offsets[c + 1]; ++i) {
      auto [node, weight] = problem.neighbours[i];
      if (node == problem.host()) {
        hostWeight = weight;
        continue;
      }
      if (slots[node] == kNone)
        continue;
      TileId tile = problem.tileOf(slots[node]);
      addDistances(others, weight, tile, [&](int64_t a, int64_t b) {
        return problem.cost(static_cast<TileId>(a), static_cast<TileId>(b));
      });
      if (!others.empty())
        continue;
      addDistances(costX, weight, mesh.x(tile),
                   [&](int64_t a, int64_t b) { return problem.costAlongX(a, b); });
      addDistances(costY, weight, mesh.y(tile),
                   [&](int64_t a, int64_t b) { return problem.costAlongY(a, b); });
    }
    struct Offer {
      SlotId slot = kNone;
      int64_t cost = INT64_MAX, offCentre = INT64_MAX;
    } best;
    visitTiles(c, [&](uint32_t x, uint32_t y) {
      TileId tile = mesh.at(x, y);
      int64_t cost = (others.empty() ? costX[x] + costY[y] : others[tile]) +
                     hostWeight * problem.hostCosts[tile];
      if (cost > best.cost)
        return;
      int64_t offCentre =
          std::abs(2 * int64_t(x) + 1 - mesh.columns) + std::abs(2 * int64_t(y) + 1 - mesh.rows);
      if (cost == best.cost && offCentre >= best.offCentre)
        return;
      if (SlotId slot = freeSlot(tile, c); slot != kNone)
        best = {slot, cost, offCentre};
    });
    return best.slot;
  }

  /// The first crossbar of a tile that has room for a cluster.
  SlotId freeSlot(TileId tile, ClusterId c) const {
    SlotId first = tile * problem.crossbarsPerTile;
    for (SlotId slot = first; slot < first + problem.crossbarsPerTile; ++slot)
      if (!taken[slot] && problem.fits(c, slot))
        return slot;
    return kNone;
  }

  /// Those of its chip, where it has one; else all.
  template <typename Visit> void visitTiles(ClusterId c, Visit visit) const {
    const Mesh &mesh = problem.mesh;
    uint32_t left = 0, top = 0, columns = mesh.columns, rows = mesh.rows;
    if (!problem.chips.empty()) {
      columns = mesh.chipColumns;
      rows = mesh.chipRows;
      left = problem.chips[c] % (mesh.columns / columns) * columns;
      top = problem.chips[c] / (mesh.columns / columns) * rows;
    }
    for (uint32_t y = top; y < top + rows; ++y)
      for (uint32_t x = left; x < left + columns; ++x)
        visit(x, y);
  }

  /// Every crossbar that it fits is taken: others move to where they fit, too. There is a place for
  /// all, which was checked (Map.cpp).
  void makeRoom(ClusterId c) {
    Slots all(problem.slots());
    std::iota(all.begin(), all.end(), 0);
    Matching matching(problem, std::move(all));
    for (ClusterId other = 0; other < problem.clusters; ++other)
      if (slots[other] != kNone)
        matching.put(other, slots[other]);
    matching.add(c);
    slots = matching.slots();
    taken.assign(problem.slots(), false);
    for (SlotId slot : slots)
      if (slot != kNone)
        taken[slot] = true;
  }

  const PlacementProblem &problem;
  Slots slots;                     // kNone: not placed yet
  std::vector<bool> taken;         // per slot
  std::vector<int64_t> attraction; // per cluster: traffic to placed nodes
  std::vector<int64_t> total;      // per cluster: all its traffic
};

} // namespace

Slots placeGreedily(const PlacementProblem &problem, const MappingOptions &, const Progress &) {
  return Greedy(problem).run();
}

} // namespace spindle
