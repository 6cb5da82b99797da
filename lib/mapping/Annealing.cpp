#include "lib/mapping/Strategies.h"

#include "core/support/CounterRandom.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace spindle {

namespace {

constexpr uint32_t batches = 120; // temperatures, of which the last fifth is zero
constexpr uint32_t warmBatches = 96;
constexpr double coolest = 5e-3; // of the first temperature
/// The first temperature beside the usual one where clusters begin on chips that were chosen.
constexpr double cool = 0.05;

class Annealing {
public:
  Annealing(const PlacementProblem &p, Slots start, uint64_t seed)
      : problem(p), isGrid(p.mesh.isGrid()), random(seed, 1), slots(std::move(start)),
        occupant(p.slots(), kNone), at(p.clusters) {
    for (ClusterId c = 0; c < problem.clusters; ++c)
      put(c, slots[c]);
    best = slots;
  }

  Slots run(uint64_t moves, const Progress &progress) {
    // The window shrinks while fewer than 44 % of the moves are taken: Betz & Rose, "VPR: a new
    // packing, placement and routing tool for FPGA research", FPL 1997.
    double widest = std::max(problem.mesh.columns, problem.mesh.rows), window = widest;
    double first = typicalDifference() * (problem.chips.empty() ? 1 : cool), temperature = first;
    for (uint32_t batch = 0; batch < batches; ++batch) {
      uint64_t tried = (moves + batches - 1) / batches, taken = 0;
      for (uint64_t i = 0; i < tried; ++i)
        taken += tryMove(temperature, static_cast<uint32_t>(window));
      window *= 1 - 0.44 + static_cast<double>(taken) / static_cast<double>(tried);
      window = std::clamp(window, 1.0, widest);
      temperature =
          batch + 1 < warmBatches ? first * std::pow(coolest, double(batch + 1) / warmBatches) : 0;
      if (progress)
        progress((batch + 1) * tried, batches * tried);
    }
    return best;
  }

  /// Cost of the best placement less that of the start, summed up move by move.
  int64_t gain() const { return bestCost; }

private:
  struct Point {
    int32_t x, y;
  };
  struct Move {
    ClusterId cluster;
    SlotId slot;
  };

  Point pointOf(SlotId slot) const {
    TileId tile = problem.tileOf(slot);
    return {static_cast<int32_t>(problem.mesh.x(tile)), static_cast<int32_t>(problem.mesh.y(tile))};
  }

  void put(ClusterId c, SlotId slot) {
    slots[c] = slot;
    occupant[slot] = c;
    at[c] = pointOf(slot);
  }

  /// A cluster and a slot at most `window` tiles away along x and y.
  Move propose(uint32_t window) {
    ClusterId c = random.below(problem.clusters);
    auto coordinate = [&](int32_t centre, uint32_t extent) {
      int32_t low = std::max(0, centre - int32_t(window));
      int32_t high = std::min(int32_t(extent) - 1, centre + int32_t(window));
      return static_cast<uint32_t>(low) + random.below(static_cast<uint32_t>(high - low + 1));
    };
    uint32_t tileX = coordinate(at[c].x, problem.mesh.columns);
    uint32_t tileY = coordinate(at[c].y, problem.mesh.rows);
    uint32_t crossbar = problem.crossbarsPerTile == 1 ? 0 : random.below(problem.crossbarsPerTile);
    return {c, problem.mesh.at(tileX, tileY) * problem.crossbarsPerTile + crossbar};
  }

  int64_t hostCost(Point point) const { return problem.hostCosts[tileAt(point)]; }

  int64_t longerBy(Point from, Point to, Point other) const {
    if (isGrid)
      return problem.costAlongX(to.x, other.x) - problem.costAlongX(from.x, other.x) +
             problem.costAlongY(to.y, other.y) - problem.costAlongY(from.y, other.y);
    return problem.cost(tileAt(to), tileAt(other)) - problem.cost(tileAt(from), tileAt(other));
  }
  TileId tileAt(Point point) const { return problem.mesh.at(uint32_t(point.x), uint32_t(point.y)); }

  /// Cost of `c` at `to` less its cost where it is; its link to `except` left out.
  int64_t difference(ClusterId c, Point to, ClusterId except) const {
    Point from = at[c];
    int64_t sum = 0;
    for (size_t i = problem.offsets[c]; i < problem.offsets[c + 1]; ++i) {
      auto [node, weight] = problem.neighbours[i];
      if (node == problem.host()) {
        sum += weight * (hostCost(to) - hostCost(from));
        continue;
      }
      int64_t longer = longerBy(from, to, at[node]);
      sum += node == except ? 0 : weight * longer;
    }
    return sum;
  }

  /// Whether it fits there, and who is there where it comes from.
  bool isAllowed(Move move) const {
    ClusterId other = occupant[move.slot];
    return problem.fits(move.cluster, move.slot) &&
           (other == kNone || problem.fits(other, slots[move.cluster]));
  }

  /// Change of cost when `cluster` moves to `slot`, and whoever is there takes its place.
  int64_t difference(Move move) const {
    ClusterId other = occupant[move.slot];
    int64_t sum = difference(move.cluster, pointOf(move.slot), other);
    if (other != kNone)
      sum += difference(other, at[move.cluster], move.cluster);
    return sum;
  }

  /// Mean size of the changes of random moves over the whole mesh: the first temperature.
  double typicalDifference() {
    constexpr int probes = 200;
    double sum = 0;
    for (int i = 0; i < probes; ++i) {
      Move move = propose(std::max(problem.mesh.columns, problem.mesh.rows));
      if (slots[move.cluster] != move.slot && isAllowed(move))
        sum += std::abs(static_cast<double>(difference(move)));
    }
    return sum / probes;
  }

  /// Metropolis: takes a worse placement with probability exp(-difference / temperature).
  bool tryMove(double temperature, uint32_t window) {
    Move move = propose(window);
    if (slots[move.cluster] == move.slot || !isAllowed(move))
      return false;
    int64_t change = difference(move);
    if (change > 0 && (temperature <= 0 ||
                       random.uniform() >= std::exp(-static_cast<double>(change) / temperature)))
      return false;
    SlotId freed = slots[move.cluster];
    ClusterId other = occupant[move.slot];
    put(move.cluster, move.slot);
    if (other != kNone)
      put(other, freed);
    else
      occupant[freed] = kNone;
    cost += change;
    if (cost < bestCost) {
      bestCost = cost;
      best = slots;
    }
    return true;
  }

  const PlacementProblem &problem;
  bool isGrid;
  CounterRandom random;
  Slots slots, best;
  std::vector<ClusterId> occupant; // per slot
  std::vector<Point> at;           // per cluster
  int64_t cost = 0, bestCost = 0;  // relative to the start
};

} // namespace

Slots placeByAnnealing(const PlacementProblem &problem, const MappingOptions &options,
                       const Progress &progress) {
  Slots start = placeGreedily(problem, options, progress);
  if (problem.clusters == 0)
    return start;
  [[maybe_unused]] int64_t startCost = costOf(problem, start);
  auto moves = static_cast<uint64_t>(options.moves);
  if (moves == 0)
    moves = std::clamp<uint64_t>(uint64_t(problem.clusters) * 8000, 200'000, 5'000'000);
  Annealing annealing(problem, std::move(start), static_cast<uint64_t>(options.seed));
  Slots best = annealing.run(moves, progress);
  assert(costOf(problem, best) - startCost == annealing.gain());
  return best;
}

} // namespace spindle
