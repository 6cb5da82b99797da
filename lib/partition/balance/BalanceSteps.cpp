#include "lib/partition/balance/BalanceSteps.h"

#include "core/chip/work/Forecast.h"
#include "core/network/SpikeTrace.h"
#include "core/support/CounterRandom.h"
#include "lib/partition/anneal/Neighbour.h"
#include "lib/partition/balance/CrossbarLoads.h"

#include <algorithm>
#include <cmath>

namespace spindle {

static constexpr uint64_t kMostLoads = uint64_t(1) << 27; // of nets and clusters, units and steps
static constexpr uint64_t kTrialsOfUnit = 1'000;
static constexpr uint64_t kMostTouched = 6'000'000'000; // loads and counts: half a minute
static constexpr double kBusier = 2; // crossbars than ports, so that they are what counts

namespace {

class Balancing {
  static constexpr double kMorePart = 2; // as packetWeight, of packets that were not at the start
  static constexpr double kFirstPart = 0.3; // of the moves that cost something, at first
  static constexpr double kCooling = 0.01;  // from the first to the last temperature

public:
  Balancing(const Hypergraph &hypergraph, const Crossbar &limits, CrossbarLoads &crossbars,
            const PartitionOptions &options)
      : graph(hypergraph), crossbar(limits), loads(crossbars), random(options.seed, 0, 4) {
    double cycles = loads.smoothCycles();
    packetsAtStart = loads.packets();
    perPacket = cycles / std::max(packetsAtStart, double(graph.nets()));
    packetWeight = options.packetWeight;
    cost = bestCost = costNow();
  }

  /// The best assignment. Ends with the trials, or when so much was touched.
  std::vector<ClusterId> run(uint64_t trials, uint64_t mostTouched) {
    double hot = temperatureFor(kFirstPart, mostTouched / 20);
    for (uint64_t trial = 0; trial < trials && loads.touched() < mostTouched; ++trial) {
      if (trial % 1024 == 0) {
        double done =
            std::max(double(trial) / double(trials), double(loads.touched()) / double(mostTouched));
        temperature = hot * std::pow(kCooling, done);
        loads.refresh();
        loads.keep();
        cost = costNow();
      }
      step();
    }
    std::vector<ClusterId> best = loads.assignment();
    for (size_t n = sinceBest.size(); n-- > 0;)
      best[sinceBest[n].first] = sinceBest[n].second;
    return best;
  }

private:
  double costNow() const {
    double packets = loads.packets(), more = std::max(0.0, packets - packetsAtStart);
    return loads.smoothCycles() +
           perPacket * (packetWeight * (packets - more) + std::max(packetWeight, kMorePart) * more);
  }

  /// A cluster for it that shares a net with it, or any.
  ClusterId target(VertexId v) {
    if (random.below(8) == 0)
      return random.below(loads.clusters());
    VertexId end = randomNeighbour(graph, v, random);
    return loads.clusterOf(end == kNone ? v : end);
  }

  /// A unit to another cluster, or in exchange for one of its units; whether it finds room there.
  bool propose() {
    VertexId v = random.below(graph.vertices());
    ClusterId from = loads.clusterOf(v), to = target(v);
    if (to == from)
      return false;
    const std::vector<VertexId> &there = loads.membersOf(to);
    VertexId other = kNone;
    bool isFull = there.size() >= crossbar.columns, isLast = loads.membersOf(from).size() == 1;
    if (isFull || isLast || random.below(2) == 0)
      other = there[random.below(uint32_t(there.size()))];
    loads.move(v, to);
    if (other != kNone)
      loads.move(other, from);
    return loads.rows(from) <= crossbar.rows && loads.rows(to) <= crossbar.rows;
  }

  void step() {
    if (!propose())
      return loads.undo();
    double next = costNow();
    if (next - cost > -temperature * std::log(random.uniform() + 1e-12))
      return loads.undo();
    sinceBest.insert(sinceBest.end(), loads.movesSinceKept().begin(), loads.movesSinceKept().end());
    loads.keep();
    cost = next;
    if (cost < bestCost) {
      bestCost = cost;
      sinceBest.clear();
    }
  }

  /// At which so many of the trials that cost something would be taken as they are now.
  double temperatureFor(double part, uint64_t mostTouched) {
    std::vector<double> changes;
    for (int n = 0; n < 4'000 && loads.touched() < mostTouched; ++n) {
      if (double change = propose() ? costNow() - cost : 0; change > 0)
        changes.push_back(change);
      loads.undo();
    }
    double low = 1e-6, high = std::max(cost, 1.0);
    for (int n = 0; n < 60; ++n) {
      double middle = std::sqrt(low * high), taken = 0;
      for (double change : changes)
        taken += std::exp(-change / middle);
      (taken < part * double(changes.size()) ? low : high) = middle;
    }
    return high;
  }

  const Hypergraph &graph;
  const Crossbar &crossbar;
  CrossbarLoads &loads;
  CounterRandom random;
  double packetsAtStart = 0, perPacket = 0, packetWeight = 0, cost = 0, bestCost = 0,
         temperature = 0;
  std::vector<std::pair<VertexId, ClusterId>> sinceBest; // moves, and where each came from
};

} // namespace

/// Energy of a spike on its ways, or packets where the chip has no prices. With multicast a spike
/// is made once, however many listen.
static SpikePrices spikePrices(const Chip &chip, size_t clusters) {
  const EnergyTable &energy = chip.energy;
  bool isUnicast = chip.router.multicast == Multicast::Unicast;
  bool isToEach = chip.router.packetsTo == PacketTarget::Crossbar;
  double made = isUnicast ? energy.axonOutPj.value : 0;
  double way = meanWayPj(chip, clusters) * chip.router.spikePacketFlits;
  double hostWay = 3 * way / std::sqrt(double(chip.mesh.hostTiles.size())); // from a corner
  SpikePrices prices{isToEach ? made : 0, made + energy.axonInPj.value + way,
                     energy.axonInPj.value + hostWay};
  return prices.other > 0 && prices.host > 0 ? prices : SpikePrices();
}

bool canBalanceSteps(const PartitionProblem &problem, const Clustering &clustering) {
  const Hypergraph &graph = problem.hypergraph;
  const SpikeTrace *trace = problem.trace;
  uint64_t clusters = clustering.clusters.size();
  auto isWhole = [](const Unit &unit) { return unit.carryTo == kNone; };
  return trace && !trace->recorded.empty() && trace->steps > 0 &&
         problem.chip.synchronisation == Synchronisation::Barrier && !problem.options.multiplex &&
         !problem.groups && graph.uses.empty() && llvm::all_of(problem.units, isWhole) &&
         clusters > 1 && clusters <= problem.chip.crossbars() &&
         graph.nets() * clusters <= kMostLoads && graph.pins.members.size() <= kMostLoads &&
         graph.vertices() * uint64_t(kMostSteps) <= kMostLoads &&
         problem.chip.crossbar.columns < UINT16_MAX; // one more for a moment
}

std::optional<Clustering> balanceSteps(const PartitionProblem &problem,
                                       const Clustering &clustering) {
  StepLoads steps = stepLoads(problem.graph, problem.units, *problem.trace, problem.chip);
  std::vector<ClusterId> assignment;
  for (const Unit &unit : clustering.units)
    assignment.push_back(unit.cluster);
  auto clusters = uint32_t(clustering.clusters.size());
  CrossbarLoads loads(problem.hypergraph, steps, spikePrices(problem.chip, clusters),
                      std::move(assignment), clusters);
  double crossbars = loads.slowestCycles({LoadKind::Reads, LoadKind::Updates});
  if (crossbars == 0 ||
      crossbars < kBusier * loads.slowestCycles({LoadKind::PortIn, LoadKind::PortOut}))
    return std::nullopt;
  Balancing balancing(problem.hypergraph, problem.chip.crossbar, loads, problem.options);
  return problem.cluster(
      balancing.run(kTrialsOfUnit * problem.hypergraph.vertices(), kMostTouched));
}

} // namespace spindle
