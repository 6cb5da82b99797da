// The prediction of a placed network against the simulation of the same samples.
#include "lib/sdf/placed/PredictSteps.h"

#include "core/chip/RouterTiming.h"
#include "sim/model/ChipSimulation.h"
#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

Prediction predictionOf(const ChipCase &given, uint64_t detailed = 1000) {
  return llvm::cantFail(
      predictSteps(given.clustering, given.mapping, given.trace, given.chip, detailed));
}

ChipStats statsOf(const ChipCase &given) {
  return llvm::cantFail(simulateChip(given.clustering, given.mapping, given.trace, given.chip,
                                     {.samples = 1'000'000}));
}

double simulated(const ChipCase &given) {
  return double(statsOf(given).cycles) / double(given.trace.recorded.size());
}

/// Two crossbars of ten columns, four links apart; neuron 0, the first column of the first, is
/// heard in the second.
ChipCase twoCrossbars(uint32_t steps) {
  ChipCase made(ChipCase::pricedChip({3, 3}), 0, 20, 2, steps);
  for (NeuronId n = 0; n < 20; ++n)
    made.clustering.units.push_back({n, n / 10, kNone});
  made.clustering.clusters[1].axons.push_back({0, 3, 0});
  made.mapping.placements = {{0, 0}, {8, 0}};
  return made;
}

/// A column, four links, a row; else ten columns. Barriers come on top.
TEST(PredictSteps, WaitsForTheWayOfAPacket) {
  ChipCase given = twoCrossbars(4);
  given.spike(0, 2, 0);
  given.complete();
  Prediction found = predictionOf(given);
  EXPECT_EQ(found.cycles,
            3 * 10 + 1 + double(headLatencyCycles(given.chip.router, 4)) + 10 + 4 * 100);
  EXPECT_EQ(found.leastCycles, found.cycles - 3 * RouterTiming(given.chip.router).hop());
  EXPECT_EQ(found.steps, 4u);
  EXPECT_EQ(found.worked, 4u);
  EXPECT_EQ(found.chip, "test");
}

/// Steps alike are known from any of them; with as many groups as there are kinds, none is missed.
TEST(PredictSteps, ConcludesFromStepsToOthersOfTheirKind) {
  ChipCase given = twoCrossbars(40);
  for (uint32_t step = 0; step < 40; step += 2)
    given.spike(0, step, 0);
  given.complete();
  Prediction all = predictionOf(given);
  for (uint64_t detailed : {2, 4, 10, 40}) {
    Prediction found = predictionOf(given, detailed);
    EXPECT_NEAR(found.cycles, all.cycles, 1e-6) << detailed;
    EXPECT_EQ(found.worked, detailed);
    EXPECT_EQ(found.leastCycles, all.leastCycles);
  }
  EXPECT_NEAR(all.cycles, simulated(given), 1e-6);
  // As many as packets and links let it, but one.
  for (uint64_t steps : {40, 7, 1, 0}) {
    uint64_t most = steps * (1 + given.mapping.spikeHops / 40);
    EXPECT_EQ(llvm::cantFail(predictSteps(given.clustering, given.mapping, given.trace, given.chip,
                                          16, nullptr, most))
                  .worked,
              std::clamp<uint64_t>(steps, 1, 16));
  }
}

/// Of random networks on random chips, all steps worked: what they take, and what they wait for.
void compare(const std::vector<ChipCase> &cases, double meanError, double largestError,
             double otherWaits) {
  double sum = 0, others = 0, steps = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    Prediction found = predictionOf(cases[i]);
    ChipStats stats = statsOf(cases[i]);
    double cycles = double(stats.cycles) / double(stats.samples);
    double error = std::abs(found.cycles / cycles - 1);
    EXPECT_LE(error, largestError) << i << ": " << found.cycles << " for " << cycles;
    EXPECT_LE(found.leastCycles, cycles + 1e-6) << i;
    sum += error;
    for (const WaitCount &wait : stats.waits) {
      steps += double(wait.slots);
      double slots = 0;
      for (const WaitCount &one : found.waits)
        slots += one.part == wait.part ? double(one.slots) : 0;
      others += std::max(0.0, double(wait.slots) - slots);
    }
  }
  EXPECT_LE(sum / double(cases.size()), meanError);
  EXPECT_LE(others, otherWaits * steps);
}

/// Barriers of no cycle, so that errors do not hide behind them.
ChipCase randomCase(uint64_t seed, Mesh mesh, uint32_t perTile = 1) {
  ChipCase given = ChipCase::random(seed, mesh, perTile, 6);
  given.chip.latency.stepBarrierCycles.value = 0;
  given.chip.latency.partialSumCycles.value = 1;
  given.chip.latency.rowReadCycles.value = seed % 3 == 0 ? 10 : 1;
  return given;
}

TEST(PredictSteps, RoutersOfManyKinds) {
  std::vector<ChipCase> cases;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    const std::vector<TileId> hosts[] = {{0}, {4}, {8, 1}, {2, 6, 4}};
    ChipCase given =
        randomCase(seed, {3, 3, Topology::Mesh, hosts[seed / 6 % 4]}, 1 + seed / 2 % 3);
    given.chip.latency.neuronUpdateCycles.value = 1 + double(seed % 5);
    given.chip.router.multicast = static_cast<Multicast>(seed % 3);
    if (seed % 6 == 0)
      given.chip.router.packetsTo = PacketTarget::Crossbar;
    given.chip.router.spikePacketFlits = 1 + seed % 4;
    given.chip.router.virtualChannels = 1 + seed / 4 % 3;
    given.chip.router.pipelineCycles = 1 + seed / 5 % 6;
    given.chip.router.linkIntervalCycles = 1 + seed % 7 / 6;
    given.clustering.order = seed / 4 % 2 ? ColumnOrder::SpikesFirst : ColumnOrder::Neurons;
    cases.push_back(std::move(given));
  }
  compare(cases, 0.02, 0.15, 0);
}

TEST(PredictSteps, RoutingsOfManyKinds) {
  std::vector<ChipCase> cases;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ChipCase given =
        randomCase(seed, {3, 3, seed % 5 == 4 ? Topology::Torus : Topology::Mesh, {4}});
    const Routing routings[] = {Routing::YX, Routing::WestFirst, Routing::OddEven,
                                Routing::MinAdaptive, Routing::XY};
    given.chip.router.routing = routings[seed % 5];
    given.chip.router.virtualChannels = 3;
    given.chip.router.adaptiveOptions = static_cast<AdaptiveOptions>(seed / 5 % 2);
    given.chip.router.bufferFlits = 1 + seed / 3 % 5;
    given.chip.router.spikePacketFlits = 1 + seed % 3;
    given.clustering.sums = static_cast<PartialSums>(seed % 3);
    given.mapping.spikeHops = 0;
    for (size_t i = 0; i < given.clustering.links.size(); ++i)
      given.mapping.spikeHops += (given.clustering.links[i].spikes +
                                  partialSumPackets(given.clustering, given.clustering.links[i])) *
                                 (given.mapping.routes[i].tiles.size() - 1);
    cases.push_back(std::move(given));
  }
  compare(cases, 0.04, 0.15, 0.03);
}

TEST(PredictSteps, LinksBetweenChips) {
  std::vector<ChipCase> cases;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ChipCase given = randomCase(seed, {4, 2}, 1 + seed % 2);
    given.chip.router.multicast = static_cast<Multicast>(seed % 3);
    given.chip.router.chipLink = ChipLink{1 + uint32_t(seed % 7) * 8, 1 + uint32_t(seed % 4)};
    for (Mesh *mesh : {&given.chip.mesh, &given.mapping.mesh}) {
      mesh->chipColumns = 2;
      mesh->chipRows = 1 + seed % 2;
    }
    cases.push_back(std::move(given));
  }
  compare(cases, 0.03, 0.15, 0.03);
}

TEST(PredictSteps, Trees) {
  std::vector<ChipCase> cases;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ChipCase given = randomCase(seed, {4, 3, Topology::Tree, {5}}, 1 + seed % 2);
    given.chip.router.multicast = static_cast<Multicast>(seed % 2);
    given.chip.router.virtualChannels = 1 + seed / 4 % 3;
    given.chip.router.spikePacketFlits = 1 + seed % 3;
    cases.push_back(std::move(given));
  }
  compare(cases, 0.03, 0.15, 0.03);
}

/// A bus is worked as it is.
TEST(PredictSteps, Buses) {
  std::vector<ChipCase> cases;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ChipCase given = randomCase(seed, {4, 2, Topology::SegmentedBus, {5, 0}}, 1 + seed % 2);
    given.chip.router.multicast = static_cast<Multicast>(seed % 2);
    given.chip.router.spikePacketFlits = seed % 5 == 0 ? 32 : 1 + seed % 3;
    given.chip.router.linkIntervalCycles = 1 + seed % 5 / 4;
    given.chip.router.bus = {1 + uint32_t(seed % 3), uint32_t(seed % 4)};
    cases.push_back(std::move(given));
  }
  compare(cases, 1e-9, 1e-9, 0);
}

TEST(PredictSteps, ClocksAreNotPredicted) {
  ChipCase given = twoCrossbars(1);
  given.complete();
  given.chip.path = "chip.yaml";
  given.chip.synchronisation = Synchronisation::Free;
  given.chip.stepUs = {1, "step"};
  auto errorOf = [&] {
    return toText(
        predictSteps(given.clustering, given.mapping, given.trace, given.chip, 1).takeError());
  };
  EXPECT_EQ(errorOf(),
            "chip.yaml: error: synchronisation is free: a step takes what the clock says");
  given.chip.synchronisation = Synchronisation::Barrier;
  given.chip.latency.neuronAccessCycles = {1, "access"};
  EXPECT_EQ(errorOf(), "chip.yaml: error: neurons at rest are accessed and not updated on this "
                       "chip, and which are takes the graph of the network; run the stage graph");
  given.chip.latency.neuronAccessCycles = {};
  given.trace.recorded.clear();
  EXPECT_EQ(errorOf(), "error: no recorded step to predict from; emulate again with "
                       "record_samples of at least 1");
}

} // namespace
} // namespace spindle
