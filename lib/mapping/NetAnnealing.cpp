#include "lib/mapping/Strategies.h"

#include "core/support/CounterRandom.h"
#include "lib/mapping/NetCost.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

constexpr uint32_t netBatches = 100; // temperatures, of which the last fifth is zero
constexpr uint32_t warmNetBatches = 80;
constexpr double coolestOfNets = 5e-3; // of the first temperature
constexpr double startOfNets = 1;      // of a typical difference

class NetAnnealing {
public:
  NetAnnealing(const NetProblem &nets, Slots start, uint64_t seed)
      : problem(nets), random(seed, 2), slots(std::move(start)), occupant(problem.slots(), kNone),
        cost(problem, slots), best(slots), bestCost(cost.cost()) {
    for (ClusterId c = 0; c < problem.clusters; ++c)
      occupant[slots[c]] = c;
  }

  Slots run(uint64_t moves, const Progress &progress) {
    double widest = std::max(problem.mesh.columns, problem.mesh.rows), window = widest;
    double first = startOfNets * typicalDifference(), temperature = first;
    for (uint32_t batch = 0; batch < netBatches; ++batch) {
      uint64_t tried = (moves + netBatches - 1) / netBatches, taken = 0;
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

  /// The change that it makes, which is made.
  double move(ClusterId c, SlotId slot) {
    double before = cost.cost();
    if (occupant[slot] == kNone)
      cost.move(c, slot / problem.crossbarsPerTile);
    else
      cost.swap(c, occupant[slot]);
    return cost.cost() - before;
  }

  double typicalDifference() {
    constexpr int probes = 200;
    double sum = 0;
    for (int i = 0; i < probes; ++i) {
      ClusterId c = random.below(problem.clusters);
      SlotId slot = propose(c, std::max(problem.mesh.columns, problem.mesh.rows));
      if (slots[c] == slot)
        continue;
      sum += std::abs(move(c, slot));
      cost.undo();
    }
    return sum / probes;
  }

  bool tryMove(double temperature, uint32_t window) {
    ClusterId c = random.below(problem.clusters);
    SlotId slot = propose(c, window), from = slots[c];
    if (slot / problem.crossbarsPerTile == from / problem.crossbarsPerTile)
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

} // namespace

Slots annealNets(const NetProblem &problem, Slots start, const MappingOptions &options,
                 const Progress &progress) {
  if (problem.clusters == 0)
    return start;
  auto moves = static_cast<uint64_t>(options.moves);
  if (moves == 0)
    moves = std::clamp<uint64_t>(uint64_t(problem.clusters) * 4000, 40'000, 1'000'000);
  double before = costOf(problem, start);
  Slots best =
      NetAnnealing(problem, start, static_cast<uint64_t>(options.seed)).run(moves, progress);
  return costOf(problem, best) < before ? best : start;
}

} // namespace spindle
