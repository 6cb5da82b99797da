// Loads of crossbars step by step: against their definition, and while units move.
#include "lib/partition/balance/CrossbarLoads.h"

#include "tests/partition/balance/RecordedNetwork.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// Prices that are all different; what is heard, updated or sent is the slowest part by turns.
Chip loadsChip(uint64_t seed) {
  Chip chip = chipOf(32, 6);
  chip.mesh = {4, 4};
  chip.crossbarsPerTile = 1 + seed % 2 * 3;
  chip.latency.rowReadCycles = {double(1 + seed % 5 * 4), "test"};
  chip.latency.synapseCycles = {double(seed % 3), "test"};
  chip.latency.neuronUpdateCycles = {double(1 + seed % 7 * 5), "test"};
  if (seed % 3 == 0) {
    chip.latency.neuronAccessCycles = {3, "test"};
    chip.energy.neuronAccessPj = {1, "test"};
    chip.latency.neuronSpikeCycles = {11, "test"};
    chip.latency.axonOutCycles = {7, "test"};
  }
  if (seed % 4 == 0)
    chip.router.packetsTo = PacketTarget::Crossbar;
  else
    chip.router.multicast = static_cast<Multicast>(seed % 3);
  chip.router.spikePacketFlits = 1 + seed % 3;
  if (seed % 5 == 0)
    chip.mesh.hostTiles = {0, 5};
  return chip;
}

struct LoadsCase {
  RecordedNetwork network;
  Chip chip;
  std::vector<Unit> units;
  Hypergraph graph;
  StepLoads steps;

  explicit LoadsCase(uint64_t seed)
      : network(RecordedNetwork::random(seed, {6, 24, 14, seed % 2 == 0}, 2, 9)),
        chip(loadsChip(seed)) {
    for (ProjectionKind &each : network.graph.projections)
      each.kind = SynapseKind::Unknown; // one price
    if (seed % 2 == 0)
      network.graph.restless.assign(network.graph.populations.size(), 1);
    units = decompose(network.graph, chip.crossbar);
    graph = buildHypergraph(network.graph, units);
    steps = stepLoads(network.graph, units, network.trace, chip);
  }

  /// Any unit anywhere: limits are not what loads are about.
  std::vector<ClusterId> scattered(CounterRandom &random, uint32_t clusters) const {
    std::vector<ClusterId> assignment(units.size());
    for (ClusterId &each : assignment)
      each = random.below(clusters);
    return assignment;
  }
};

/// By the same definition as the cost of a partition: each spike and crossbar.
double pricesOf(const LoadsCase &given, const std::vector<ClusterId> &clusterOf,
                const SpikePrices &prices) {
  double sum = 0;
  for (uint32_t net = 0; net < given.graph.nets(); ++net) {
    std::set<ClusterId> listeners;
    for (VertexId v : given.graph.readers[net])
      listeners.insert(clusterOf[v]);
    VertexId driver = given.graph.driver[net];
    for (ClusterId c : listeners)
      sum += double(given.graph.spikes[net]) * (driver == kNone          ? prices.host
                                                : clusterOf[driver] == c ? prices.own
                                                                         : prices.other);
  }
  return sum;
}

TEST(CrossbarLoads, AreThoseOfTheDefinition) {
  const SpikePrices prices{3, 5, 0.5};
  for (uint64_t seed = 0; seed < 60; ++seed) {
    LoadsCase given(seed);
    CounterRandom random(seed, 2);
    std::vector<ClusterId> assignment = given.scattered(random, 5);
    CrossbarLoads loads(given.graph, given.steps, prices, assignment, 5);
    double cycles = given.network.cyclesPerSample(given.units, assignment, given.chip);
    EXPECT_NEAR(loads.slowestCycles(), cycles, 1e-6 * cycles) << seed;
    EXPECT_NEAR(loads.packets(), pricesOf(given, assignment, prices), 1e-6) << seed;
    EXPECT_GE(loads.smoothCycles(), loads.slowestCycles() * (1 - 1e-9)) << seed;
    EXPECT_LE(loads.smoothCycles(), loads.slowestCycles() * std::pow(4.0 * 6, 1.0 / 16)) << seed;
    for (ClusterId c = 0; c < 5; ++c) {
      std::set<uint32_t> rows;
      for (VertexId v = 0; v < given.units.size(); ++v)
        if (assignment[v] == c)
          rows.insert(given.graph.pins[v].begin(), given.graph.pins[v].end());
      EXPECT_EQ(loads.rows(c), rows.size());
    }
  }
}

/// Moves, some of them undone, lead to what is counted anew.
TEST(CrossbarLoads, FollowUnitsThatMove) {
  const SpikePrices prices{3, 5, 0.5};
  for (uint64_t seed = 0; seed < 30; ++seed) {
    LoadsCase given(seed);
    CounterRandom random(seed, 3);
    std::vector<ClusterId> assignment = given.scattered(random, 4);
    CrossbarLoads loads(given.graph, given.steps, prices, assignment, 4);
    for (int trial = 0; trial < 400; ++trial) {
      std::vector<ClusterId> next = loads.assignment();
      for (uint32_t moves = 1 + random.below(3); moves > 0; --moves) {
        VertexId v = random.below(uint32_t(given.units.size()));
        next[v] = random.below(4);
        if (next[v] != loads.clusterOf(v))
          loads.move(v, next[v]);
      }
      if (random.below(2) == 0) {
        loads.undo();
      } else {
        EXPECT_EQ(loads.assignment(), next);
        loads.keep();
      }
    }
    CrossbarLoads anew(given.graph, given.steps, prices, loads.assignment(), 4);
    EXPECT_NEAR(loads.slowestCycles(), anew.slowestCycles(), 1e-6 * anew.slowestCycles());
    EXPECT_NEAR(loads.packets(), anew.packets(), 1e-6);
    loads.refresh();
    EXPECT_NEAR(loads.smoothCycles(), anew.smoothCycles(), 1e-6 * anew.smoothCycles());
    for (ClusterId c = 0; c < 4; ++c)
      EXPECT_EQ(loads.rows(c), anew.rows(c));
  }
}

/// Of a thousand steps 64 stand for all; busy ones are not lost among quiet ones.
TEST(StepLoads, FewStepsStandForMany) {
  RecordedNetwork network = RecordedNetwork::random(5, {6, 24, 8, true}, 4, 250);
  std::erase_if(network.trace.recorded[2], [](const Spike &spike) { return spike.step % 10 != 0; });
  network.count();
  Chip chip = loadsChip(1);
  std::vector<Unit> units = decompose(network.graph, chip.crossbar);
  Hypergraph graph = buildHypergraph(network.graph, units);
  StepLoads steps = stepLoads(network.graph, units, network.trace, chip);
  EXPECT_EQ(steps.steps(), kMostSteps);
  double sum = 0;
  for (double weight : steps.weights)
    sum += weight;
  EXPECT_NEAR(sum, 250, 1e-9);
  std::vector<ClusterId> assignment(units.size());
  for (UnitId u = 0; u < units.size(); ++u)
    assignment[u] = u % 5;
  double cycles = network.cyclesPerSample(units, assignment, chip);
  EXPECT_NEAR(CrossbarLoads(graph, steps, {}, assignment, 5).slowestCycles(), cycles,
              0.05 * cycles);
}

} // namespace
