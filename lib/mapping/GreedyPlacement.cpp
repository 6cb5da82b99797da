#include "lib/mapping/Matching.h"
#include "lib/mapping/Strategies.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace spindle {

namespace {

/// Adds price · hops(i, position) for every i.
template <typename Hops>
void addDistances(std::vector<int64_t> &costs, int64_t price, uint32_t position, Hops hops) {
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] += price * hops(int64_t(i), int64_t(position));
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
  /// host's.
  SlotId cheapestSlot(ClusterId c) const {
    const Mesh &mesh = problem.mesh;
    std::vector<int64_t> costX(mesh.columns, 0), costY(mesh.rows, 0);
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
      addDistances(costX, weight * problem.hopX, mesh.x(tile),
                   [&](int64_t a, int64_t b) { return problem.hopsAlongX(a, b); });
      addDistances(costY, weight * problem.hopY, mesh.y(tile),
                   [&](int64_t a, int64_t b) { return problem.hopsAlongY(a, b); });
    }
    auto key = [&](SlotId slot) {
      TileId tile = problem.tileOf(slot);
      int64_t x = mesh.x(tile), y = mesh.y(tile);
      int64_t offCentre = std::abs(2 * x + 1 - mesh.columns) + std::abs(2 * y + 1 - mesh.rows);
      return std::tuple(costX[static_cast<size_t>(x)] + costY[static_cast<size_t>(y)] +
                            hostWeight * problem.hostCosts[tile],
                        offCentre);
    };
    SlotId best = kNone;
    for (SlotId slot = 0; slot < problem.slots(); ++slot)
      if (!taken[slot] && problem.fits(c, slot) && (best == kNone || key(slot) < key(best)))
        best = slot;
    return best;
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
