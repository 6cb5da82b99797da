#include "lib/mapping/Strategies.h"

#include "core/support/CounterRandom.h"
#include "lib/mapping/NetCost.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace spindle {

namespace {

constexpr uint32_t netBatches = 100; // temperatures, of which the last fifth is zero
constexpr uint32_t warmNetBatches = 80;
constexpr double mostVisits = 2.5e9;   // of ends of nets: a few seconds
constexpr double coolestOfNets = 5e-3; // of the first temperature
/// First temperatures, of a typical difference, one run each: from anywhere, and from a start that
/// is good already. Trees end in places that differ by a tenth, so that several runs are worth more
/// than a long one.
constexpr double startsOfNets[] = {1, 0.05}, startsOfTrees[] = {1, 0.05, 1, 1, 0.05};
/// A hot start would forget which chips clusters are on.
constexpr double hottestOnChips = 0.05;

class NetAnnealing {
public:
  NetAnnealing(const NetProblem &nets, Slots start, uint64_t seed)
      : problem(nets), random(seed, 2), slots(std::move(start)), occupant(problem.slots(), kNone),
        cost(problem, slots), best(slots), bestCost(cost.cost()) {
    for (ClusterId c = 0; c < problem.clusters; ++c)
      occupant[slots[c]] = c;
  }

  Slots run(double start, uint64_t moves, const Progress &progress) {
    double widest = side(), window = widest;
    double first = start * typicalDifference(), temperature = first;
    for (uint32_t batch = 0; batch < netBatches; ++batch) {
      uint64_t tried = 1 + moves / netBatches, taken = 0;
      for (uint64_t i = 0; i < tried; ++i)
        taken += tryMove(temperature, static_cast<uint32_t>(window));
      // As in Annealing.cpp: Betz & Rose, FPL 1997.
      window *= 1 - 0.44 + static_cast<double>(taken) / static_cast<double>(tried);
      window = std::clamp(window, 1.0, widest);
      temperature = batch + 1 < warmNetBatches
                        ? first * std::pow(coolestOfNets, double(batch + 1) / warmNetBatches)
                        : 0;
      if (progress)
        progress((batch + 1) * tried, netBatches * tried);
    }
    return best;
  }

private:
  SlotId propose(ClusterId c, uint32_t window) {
    auto coordinate = [&](uint32_t centre, uint32_t extent) {
      uint32_t low = centre - std::min(centre, window);
      return low + random.below(std::min(extent - 1, centre + window) - low + 1);
    };
    TileId tile = cost.tileOf(c);
    uint32_t x = coordinate(problem.mesh.x(tile), problem.mesh.columns);
    uint32_t y = coordinate(problem.mesh.y(tile), problem.mesh.rows);
    uint32_t crossbar = problem.crossbarsPerTile == 1 ? 0 : random.below(problem.crossbarsPerTile);
    return problem.mesh.at(x, y) * problem.crossbarsPerTile + crossbar;
  }

  /// Whether it fits there, and who is there where it comes from.
  bool mayMove(ClusterId c, SlotId slot) const {
    return problem.room.fits(c, slot) &&
           (occupant[slot] == kNone || problem.room.fits(occupant[slot], slots[c]));
  }

  /// The change that it makes, which is made.
  double move(ClusterId c, SlotId slot) {
    double before = cost.cost();
    if (occupant[slot] == kNone)
      cost.move(c, slot / problem.crossbarsPerTile);
    else
      cost.swap(c, occupant[slot]);
    return cost.cost() - before;
  }

  /// Of the square of tiles that the clusters fill: farther moves on a large mesh would say
  /// nothing.
  uint32_t side() const {
    double tiles = double(problem.clusters) / problem.crossbarsPerTile;
    return 1 + static_cast<uint32_t>(std::sqrt(tiles));
  }

  double typicalDifference() {
    constexpr int probes = 200;
    double sum = 0;
    for (int i = 0; i < probes; ++i) {
      ClusterId c = random.below(problem.clusters);
      SlotId slot = propose(c, side());
      if (slots[c] == slot || !mayMove(c, slot))
        continue;
      sum += std::abs(move(c, slot));
      cost.undo();
    }
    return sum / probes;
  }

  bool tryMove(double temperature, uint32_t window) {
    ClusterId c = random.below(problem.clusters);
    SlotId slot = propose(c, window), from = slots[c];
    if (slot / problem.crossbarsPerTile == from / problem.crossbarsPerTile || !mayMove(c, slot))
      return false;
    double change = move(c, slot);
    if (change > 0 && (temperature <= 0 || random.uniform() >= std::exp(-change / temperature))) {
      cost.undo();
      return false;
    }
    ClusterId other = occupant[slot];
    occupant[from] = other;
    if (other != kNone)
      slots[other] = from;
    occupant[slot] = c;
    slots[c] = slot;
    if (cost.cost() < bestCost) {
      bestCost = cost.cost();
      best = slots;
    }
    return true;
  }

  const NetProblem &problem;
  CounterRandom random;
  Slots slots;
  std::vector<ClusterId> occupant; // per slot
  NetCost cost;
  Slots best;
  double bestCost;
};

/// By the number of clusters, fewer where one move looks at many ends of nets.
uint64_t usualMoves(const NetProblem &problem) {
  double ends = 1; // of the nets of a cluster, mean
  for (const Net &net : problem.nets)
    ends += std::pow(double(net.last - net.first) + 1, 2) / problem.clusters;
  double links = problem.prices.squares ? 10 : 1; // walked for each end
  double affordable = mostVisits / (2 * ends * links);
  return std::clamp<uint64_t>(static_cast<uint64_t>(affordable), 40'000,
                              80'000 + uint64_t(problem.clusters) * 20'000);
}

} // namespace

Slots annealNets(const NetProblem &problem, Slots start, const MappingOptions &options,
                 const Progress &progress) {
  if (problem.clusters == 0)
    return start;
  auto moves = static_cast<uint64_t>(options.moves);
  if (moves == 0)
    moves = usualMoves(problem);
  bool countsTrees = problem.prices.isTree && !problem.prices.squares;
  std::span<const double> starts =
      countsTrees ? std::span<const double>(startsOfTrees) : std::span<const double>(startsOfNets);
  double least = costOf(problem, start);
  Slots best = start;
  for (size_t run = 0; run < starts.size(); ++run) {
    // The first two as ever; then other random numbers, and at last from the best.
    bool isFirst = run < std::size(startsOfNets);
    uint64_t seed = static_cast<uint64_t>(options.seed) + (isFirst ? 0 : run << 32);
    Slots next = NetAnnealing(problem, isFirst ? start : best, seed)
                     .run(problem.beginsOnChips ? hottestOnChips : starts[run],
                          moves / std::size(startsOfNets), progress);
    if (double cost = costOf(problem, next); cost < least) {
      least = cost;
      best = std::move(next);
    }
  }
  return best;
}

} // namespace spindle
