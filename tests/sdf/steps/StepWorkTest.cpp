// The slowest crossbar of every step: by hand, by definition, and as a bound of the simulation.
#include "core/chip/work/StepWork.h"

#include "core/chip/RouterTiming.h"
#include "core/network/SpikingGraph.h"
#include "lib/sdf/BuildSdf.h"
#include "sim/model/ChipSimulation.h"
#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

StepWork stepWorkOf(const ChipCase &given) {
  return llvm::cantFail(stepWork(given.clustering, given.trace, given.chip));
}

/// Two crossbars of ten columns; neuron 0 is heard in the first, neuron 1 in the second.
ChipCase twoCrossbars() {
  ChipCase made(ChipCase::pricedChip({2, 1}), 0, 20, 2, 4);
  for (NeuronId n = 0; n < 20; ++n)
    made.clustering.units.push_back({n, n / 10, kNone});
  for (ClusterId c = 0; c < 2; ++c) {
    made.clustering.clusters[c].axons.push_back({c, 3, 0});
    made.mapping.placements.push_back({c, 0});
  }
  return made;
}

/// Ten cycles for columns, ten for a row, two for a cell. Neuron 0 is the first column, neuron 1
/// the second of the first crossbar, one link away. Busy steps do not hide behind quiet ones.
TEST(StepWork, AddsTheSlowestCrossbarOfEachStep) {
  ChipCase given = twoCrossbars();
  given.chip.latency.synapseCycles = {2, "cell"};
  given.spike(0, 1, 0);
  given.spike(0, 2, 1);
  given.complete();
  StepWork found = stepWorkOf(given);
  double link = double(headLatencyCycles(given.chip.router, 1));
  EXPECT_EQ(found.cycles, 10 + (1 + 16) + (2 + link + 16) + 10);
  EXPECT_EQ(found.slowest, 0u);
}

/// Neuron 9, the last column of the first crossbar, is heard in the other, and neuron 0 in its own:
/// ten columns and a way, or one.
TEST(StepWork, SpikesForOthersMayBeMadeFirst) {
  for (ColumnOrder order : {ColumnOrder::Neurons, ColumnOrder::SpikesFirst}) {
    ChipCase given = twoCrossbars();
    given.clustering.clusters[1].axons = {{9, 3, 0}};
    given.clustering.order = order;
    given.spike(0, 0, 0);
    given.spike(0, 0, 9);
    given.complete();
    double made = order == ColumnOrder::Neurons ? 10 : 1;
    double link = double(headLatencyCycles(given.chip.router, 1));
    EXPECT_EQ(stepWorkOf(given).cycles, made + link + 10 + 3 * 10);
    ChipStats stats = llvm::cantFail(
        simulateChip(given.clustering, given.mapping, given.trace, given.chip, {.samples = 1}));
    EXPECT_EQ(double(stats.cycles), stepWorkOf(given).cycles + 4 * 100);
  }
}

/// A sum for each unit whose crossbar hears something, and for those behind it.
TEST(StepWork, PartialSumsAreWork) {
  ChipCase given(ChipCase::pricedChip({3, 1}), 1, 1, 3, 2);
  given.chip.latency.partialSumCycles = {25, "sum"};
  given.clustering.units = {{1, 0, 1}, {1, 1, 2}, {1, 2, kNone}};
  given.clustering.clusters[0].axons.push_back({0, 1, 0});
  for (TileId tile = 0; tile < 3; ++tile)
    given.mapping.placements.push_back({tile, 0});
  given.spike(0, 1, 0);
  given.complete();
  // A column; a sum that was made with it, one link away.
  EXPECT_EQ(stepWorkOf(given).cycles, 1 + 1 + double(headLatencyCycles(given.chip.router, 1)) + 25);
}

/// Two columns' sums in one packet leave with the later one, and are two sums of work.
TEST(StepWork, VectorsOfSumsLeaveWithTheLast) {
  ChipCase given(ChipCase::pricedChip({2, 1}), 1, 2, 2, 1);
  given.clustering.units = {{1, 0, 1}, {1, 1, kNone}, {2, 0, 3}, {2, 1, kNone}};
  given.clustering.clusters[0].axons.push_back({0, 1, 0});
  for (TileId tile = 0; tile < 2; ++tile)
    given.mapping.placements.push_back({tile, 0});
  given.spike(0, 0, 0);
  given.complete();
  double link = double(headLatencyCycles(given.chip.router, 1));
  EXPECT_EQ(stepWorkOf(given).cycles, 1 + link + 10 + 10); // the second waits for the first
  given.clustering.sums = PartialSums::Vector;
  EXPECT_EQ(stepWorkOf(given).cycles, 2 + link + 10 + 10);
}

/// The whole work of the slowest crossbar alone, step by step, as if all were there at once.
double atLeast(const ChipCase &given) {
  double cycles = 0;
  for (const std::vector<Spike> &spikes : given.trace.recorded)
    for (uint32_t step = 0; step < given.trace.steps; ++step) {
      double slowest = 0;
      for (ClusterId c = 0; c < given.clustering.clusters.size(); ++c) {
        auto hears = [&](ClusterId cluster) {
          double rows = 0;
          for (const Axon &axon : given.clustering.clusters[cluster].axons)
            for (const Spike &spike : spikes)
              rows += spike.step == step && spike.neuron == axon.neuron;
          return rows;
        };
        double sums = 0;
        for (UnitId u = 0; u < given.clustering.units.size(); ++u) {
          const Unit &unit = given.clustering.units[u];
          if (unit.carryTo == kNone || given.clustering.units[unit.carryTo].cluster != c ||
              unit.cluster == c)
            continue;
          bool isActive = false; // the unit's crossbar, or that of one before it in the chain
          for (UnitId v = 0; v <= u; ++v)
            isActive |= given.clustering.units[v].neuron == unit.neuron &&
                        hears(given.clustering.units[v].cluster) > 0;
          sums += isActive;
        }
        const LatencyTable &price = given.chip.latency;
        double columns = given.clustering.clusters[c].units * price.neuronUpdateCycles.value;
        double reading = hears(c) * price.rowReadCycles.value + sums * price.partialSumCycles.value;
        slowest = std::max({slowest, columns, reading});
      }
      cycles += slowest;
    }
  return cycles / double(given.trace.recorded.size());
}

/// Between two bounds: no less than the work of a step, no more than the simulation takes.
TEST(StepWork, LiesBetweenTheWorkAndTheSimulation) {
  double nearest = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    uint32_t perTile = 1 + seed / 2 % 3;
    const std::vector<TileId> hosts[] = {{0}, {4}, {8, 1}, {2, 6, 4}};
    ChipCase given =
        ChipCase::random(seed, {3, 3, Topology::Mesh, hosts[seed / 6 % 4]}, perTile, 6);
    given.chip.latency.rowReadCycles.value = seed / 3 % 3 == 0 ? 200 : seed / 3 % 3 == 1 ? 10 : 1;
    given.chip.latency.neuronUpdateCycles.value = 1 + double(seed % 5);
    given.chip.router.multicast = static_cast<Multicast>(seed % 3);
    if (seed % 3 == 0 && seed % 2 == 0)
      given.chip.router.packetsTo = PacketTarget::Crossbar;
    given.chip.router.spikePacketFlits = 1 + seed % 4;
    given.chip.router.virtualChannels = 1 + seed % 3;
    given.clustering.order = seed / 4 % 2 ? ColumnOrder::SpikesFirst : ColumnOrder::Neurons;
    StepWork found = stepWorkOf(given);
    EXPECT_LE(*std::max_element(found.clusterCycles.begin(), found.clusterCycles.end()),
              found.cycles + 1e-6)
        << seed;
    EXPECT_GE(found.cycles, atLeast(given) - 1e-6) << seed;
    ChipStats stats = llvm::cantFail(
        simulateChip(given.clustering, given.mapping, given.trace, given.chip, {.samples = 100}));
    double barriers = double(given.trace.steps) * double(given.chip.barrierCycles(9));
    double simulated = double(stats.cycles) / double(given.trace.recorded.size());
    EXPECT_LE(found.cycles + barriers, simulated + 1e-6) << seed;
    nearest = std::max(nearest, (found.cycles + barriers) / simulated);
  }
  EXPECT_GT(nearest, 0.97);
}

/// Three columns of one crossbar, of which one spikes for two crossbars, its own among them;
/// nothing is read that takes longer.
TEST(StepWork, ColumnsTakeWhatTheirSpikesTake) {
  Chip chip = ChipCase::pricedChip({2, 1});
  chip.latency.rowReadCycles.value = 1;
  chip.latency.neuronAccessCycles = {60, "access"};
  chip.latency.neuronUpdateCycles.value = 37;
  chip.latency.neuronSpikeCycles = {300, "spike"};
  chip.latency.axonOutCycles = {51, "axon"};
  chip.router.packetsTo = PacketTarget::Crossbar;
  ChipCase given(chip, 0, 4, 2, 1);
  given.clustering.units = {{0, 0, kNone}, {1, 0, kNone}, {2, 0, kNone}, {3, 1, kNone}};
  given.clustering.clusters[0].axons.push_back({0, 2, 0});
  given.clustering.clusters[1].axons.push_back({0, 1, 0});
  given.mapping.placements = {{0, 0}, {1, 0}};
  given.spike(0, 0, 0);
  given.complete();
  EXPECT_EQ(stepWorkOf(given).cycles, 3 * 60 + 37 + 300 + 2 * 51);
  given.chip.router.packetsTo = PacketTarget::Tile; // how many packets depends on the placement
  EXPECT_EQ(stepWorkOf(given).cycles, 3 * 60 + 37 + 300);
  given.chip.latency.neuronAccessCycles = {};
  EXPECT_EQ(stepWorkOf(given).cycles, 3 * 37 + 300);
  // The other crossbar waits for the first packet, which has a link to go.
  given.chip.latency.rowReadCycles.value = 1000;
  double link = double(headLatencyCycles(given.chip.router, 1));
  EXPECT_EQ(stepWorkOf(given).cycles, 37 + 300 + 51 + link + 1000);
}

/// Neuron 0 reaches neurons 1 and 2 in step 0: they are updated in step 1, in which neuron 1
/// spikes, and neuron 2 in step 2, too, as it has not spiked. In a new sample all are at rest.
TEST(StepWork, NeuronsThatASpikeReachedAreUpdated) {
  Chip chip = ChipCase::pricedChip({1, 1});
  chip.latency.rowReadCycles.value = 1;
  chip.latency.neuronAccessCycles = {60, "access"};
  chip.latency.neuronUpdateCycles.value = 37;
  ChipCase given(chip, 1, 3, 1, 3);
  given.clustering.units = {{1, 0, kNone}, {2, 0, kNone}, {3, 0, kNone}};
  given.clustering.clusters[0].axons.push_back({0, 2, 0});
  given.mapping.placements = {{0, 0}};
  given.trace.recorded.resize(2);
  given.spike(0, 0, 0);
  given.spike(0, 1, 1);
  given.complete();
  SpikingGraph graph;
  graph.populations = given.trace.populations;
  graph.spikes = given.trace.counts;
  graph.offsets = {0, 0, 1, 2, 2};
  graph.sources = {0, 0};
  graph.weights = {1, 1};
  StepWork known = llvm::cantFail(stepWork(given.clustering, given.trace, given.chip, &graph));
  EXPECT_EQ(known.cycles, (6 * 3 * 60 + (2 + 1) * 37) / 2.0);
  EXPECT_EQ(stepWorkOf(given).cycles, (6 * 3 * 60 + 37) / 2.0); // the spike alone
  ChipStats stats = llvm::cantFail(simulateChip(given.clustering, given.mapping, given.trace,
                                                given.chip, {.samples = 2}, {}, {.graph = &graph}));
  EXPECT_EQ(double(stats.cycles) / 2, known.cycles + 3 * 100);
  graph.restless = {0, 1}; // neuron 1 is updated in step 2, too
  StepWork longer = llvm::cantFail(stepWork(given.clustering, given.trace, given.chip, &graph));
  EXPECT_EQ(longer.cycles, known.cycles + 37 / 2.0);
  stats = llvm::cantFail(simulateChip(given.clustering, given.mapping, given.trace, given.chip,
                                      {.samples = 2}, {}, {.graph = &graph}));
  EXPECT_EQ(double(stats.cycles) / 2, longer.cycles + 3 * 100);
  graph.spikes.push_back(0);
  EXPECT_EQ(toText(stepWork(given.clustering, given.trace, given.chip, &graph).takeError()),
            "error: the graph has 5 neurons, the clustering 4; partition this graph again");
}

/// 40 inputs that six clusters hear: 240 packets, less those of the cluster beside each port, and
/// four flits that the buffers hold.
TEST(StepWork, TheHostsTilesShareItsPackets) {
  for (std::vector<TileId> hosts : {std::vector<TileId>{0}, {0, 5}, {5, 3, 0}}) {
    ChipCase given(ChipCase::pricedChip({3, 2, Topology::Mesh, hosts}), 40, 6, 6, 1);
    given.chip.latency.rowReadCycles.value = 1;
    given.chip.router.spikePacketFlits = 3;
    for (ClusterId c = 0; c < 6; ++c) {
      given.clustering.units.push_back({40 + c, c, kNone});
      for (NeuronId n = 0; n < 40; ++n)
        given.clustering.clusters[c].axons.push_back({n, 1, 0});
      given.mapping.placements.push_back({c, 0});
    }
    for (NeuronId n = 0; n < 40; ++n)
      given.spike(0, 0, n);
    given.complete();
    auto ports = double(hosts.size());
    EXPECT_EQ(stepWorkOf(given).cycles, 40 * 3 * (6 - ports) / ports - 4);
    EXPECT_EQ(stepWorkOf(given).slowest, kNone);
    given.chip.router.multicast = Multicast::Tree;
    EXPECT_EQ(stepWorkOf(given).cycles, std::max(40 * 3 / ports - 4, 40.));
  }
}

TEST(StepWork, TheGraphHasAnActorForTheSteps) {
  ChipCase given = twoCrossbars();
  given.spike(0, 1, 0);
  given.complete();
  SdfGraph graph = llvm::cantFail(buildSdf(given.clustering, given.chip, {}, &given.trace));
  ASSERT_EQ(graph.actors.size(), 3u);
  EXPECT_EQ(graph.actors.back().name, "steps");
  EXPECT_EQ(graph.actors.back().executionTime, 3 * 10 + (1 + 10) + 4 * 100u);
  given.chip.synchronisation = Synchronisation::Free;
  given.chip.stepUs = {1, "step"};
  EXPECT_EQ(llvm::cantFail(buildSdf(given.clustering, given.chip, {}, &given.trace)).actors.size(),
            2u);
}

TEST(StepWork, SpikesOfAnotherNetwork) {
  ChipCase given = twoCrossbars();
  given.complete();
  given.clustering.neurons = 21;
  EXPECT_THAT(toText(stepWork(given.clustering, given.trace, given.chip).takeError()),
              ::testing::HasSubstr("the spike trace has 20 neurons, the clustering 21; partition "
                                   "the graph of this trace again"));
}

} // namespace
} // namespace spindle
