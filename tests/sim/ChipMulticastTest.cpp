// Mapped networks with multicast, and the packets that a simulation logs.
#include "sim/model/ChipSimulation.h"
#include "sim/model/Replay.h"

#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

ChipStats statsWith(ChipCase given, Multicast multicast, PacketLog *log = nullptr) {
  given.chip.router.multicast = multicast;
  llvm::Expected<ChipStats> stats =
      simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}, {}, {.log = log});
  if (!stats) {
    ADD_FAILURE() << toText(stats.takeError());
    return {};
  }
  return *stats;
}

uint64_t flitHops(const ChipStats &stats) {
  uint64_t sum = 0;
  for (const LinkLoad &link : stats.links)
    sum += link.flits;
  return sum;
}

/// The host at one tile, and at three.
ChipCase multicastCase(uint64_t seed) {
  std::vector<TileId> hosts = seed == 1 ? std::vector<TileId>{0} : std::vector<TileId>{29, 13, 5};
  return ChipCase::random(seed, {6, 5, Topology::Mesh, hosts}, 1, 25);
}

class MulticastChips : public ::testing::TestWithParam<uint64_t> {};

/// The same spikes reach the same crossbars, with fewer packets and flits.
TEST_P(MulticastChips, DeliverTheSameSpikes) {
  ChipCase given = multicastCase(GetParam());
  ChipStats unicast = statsWith(given, Multicast::Unicast);
  EXPECT_EQ(unicast.deliveries, unicast.packets);
  for (Multicast multicast : {Multicast::Tree, Multicast::Path}) {
    ChipStats stats = statsWith(given, multicast);
    EXPECT_EQ(stats.deliveries, unicast.deliveries);
    EXPECT_EQ(stats.localDeliveries, unicast.localDeliveries);
    EXPECT_EQ(stats.partialSumPackets, unicast.partialSumPackets);
    EXPECT_EQ(stats.tileSynapticEvents, unicast.tileSynapticEvents);
    EXPECT_EQ(stats.tileSpikes, unicast.tileSpikes);
    EXPECT_LT(stats.packets, unicast.packets);
    EXPECT_LT(flitHops(stats), flitHops(unicast));
  }
}

/// A spike whose neuron drives other tiles is one packet from each tile that it leaves; its flits
/// pass every link of the ways to them once.
TEST_P(MulticastChips, PacketsAndFlitsAreThoseOfTheTrees) {
  ChipCase given = multicastCase(GetParam());
  std::vector<ClusterId> homes(given.clustering.neurons, kNone);
  for (const Unit &unit : given.clustering.units)
    if (unit.carryTo == kNone)
      homes[unit.neuron] = unit.cluster;
  uint64_t packets = 0, links = 0;
  for (const std::vector<Spike> &spikes : given.trace.recorded)
    for (const Spike &spike : spikes) {
      std::map<TileId, std::set<std::pair<TileId, TileId>>> used; // by source
      for (ClusterId c = 0; c < given.clustering.clusters.size(); ++c)
        for (const Axon &axon : given.clustering.clusters[c].axons)
          if (axon.neuron == spike.neuron) {
            TileId target = given.mapping.placements[c].tile;
            TileId source = given.sourceTile(homes[spike.neuron], target);
            std::vector<TileId> way = given.chip.mesh.route(source, target);
            for (size_t i = 1; i < way.size(); ++i)
              used[source].insert({way[i - 1], way[i]});
          }
      packets += used.size();
      for (const auto &[source, tree] : used)
        links += tree.size();
    }
  ChipStats stats = statsWith(given, Multicast::Tree);
  EXPECT_EQ(stats.spikePackets, packets);
  // Sums of one flit, and of two: the difference is what they take.
  given.chip.router.partialSumPacketFlits = 1;
  uint64_t single = flitHops(statsWith(given, Multicast::Tree));
  given.chip.router.partialSumPacketFlits = 2;
  uint64_t partialSums = flitHops(statsWith(given, Multicast::Tree)) - single;
  EXPECT_EQ(single - partialSums, links);
}

/// What is logged is enough to run the routers again, to the cycle; and it is what was counted.
TEST_P(MulticastChips, TheLogReplays) {
  ChipCase given = multicastCase(GetParam());
  for (Multicast multicast : {Multicast::Unicast, Multicast::Tree, Multicast::Path}) {
    PacketLog log;
    ChipStats stats = statsWith(given, multicast, &log);
    EXPECT_EQ(log.packets.packets.size(), stats.packets);
    ASSERT_EQ(log.packets.origins.size(), stats.packets);
    ASSERT_EQ(log.deliveries.size(), stats.deliveries);
    given.chip.router.multicast = multicast;
    std::vector<Delivery> again = llvm::cantFail(replay(log.packets, given.chip));
    // Steps are apart from each other, so the network is empty between them.
    EXPECT_EQ(again, log.deliveries);

    uint64_t sums = 0, latencySum = 0, latencyMax = 0;
    for (size_t i = 0; i < stats.packets; ++i) {
      const PacketOrigin &origin = log.packets.origins[i];
      sums += origin.kind == PacketKind::PartialSum;
      const std::vector<Spike> &spikes = given.trace.recorded.at(origin.sample);
      if (origin.kind == PacketKind::Spike) {
        EXPECT_TRUE(
            std::binary_search(spikes.begin(), spikes.end(), Spike{origin.step, origin.neuron}));
      }
    }
    for (const Delivery &delivery : log.deliveries) {
      latencySum += delivery.tailCycle - delivery.madeCycle;
      latencyMax = std::max(latencyMax, delivery.tailCycle - delivery.madeCycle);
    }
    EXPECT_EQ(sums, stats.partialSumPackets);
    EXPECT_EQ(latencyMax, stats.latencyMaxCycles);
    EXPECT_DOUBLE_EQ(double(latencySum) / double(stats.deliveries), stats.latencyMeanCycles);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MulticastChips, ::testing::Values(1, 2, 3));

TEST(ChipSimulation, LatenciesHavePercentiles) {
  ChipCase made(ChipCase::pricedChip({4, 1}), 0, 3, 3, 1);
  made.clustering.units = {{0, 0, kNone}, {1, 1, kNone}, {2, 2, kNone}};
  made.clustering.clusters[1].axons = {{0, 1, 0}};
  made.clustering.clusters[2].axons = {{0, 1, 0}, {1, 1, 0}};
  made.mapping.placements = {{0, 0}, {1, 0}, {3, 0}};
  made.spike(0, 0, 0);
  made.complete();
  ChipStats stats = statsWith(made, Multicast::Unicast);
  // One hop at once, three hops a cycle behind it: 8 cycles, and 14 + 1, of which it waited one.
  EXPECT_EQ(stats.latencyP50Cycles, 8u);
  EXPECT_EQ(stats.latencyP99Cycles, 15u);
  EXPECT_EQ(stats.latencyMaxCycles, 15u);
  EXPECT_EQ(stats.latencyMeanCycles, (8 + 15) / 2.0);
  EXPECT_EQ(stats.networkLatencyMeanCycles, (8 + 14) / 2.0);
}

TEST(ChipSimulation, RoutingsWithoutProofAreRefused) {
  ChipCase made = ChipCase::random(1, {5, 5}, 1, 20);
  made.chip.path = "chip.yaml";
  made.chip.mesh.topology = made.mapping.mesh.topology = Topology::Torus;
  made.chip.router.routing = Routing::WestFirst;
  std::string error =
      toText(simulateChip(made.clustering, made.mapping, made.trace, made.chip, {}).takeError());
  EXPECT_THAT(error, ::testing::HasSubstr("packets may block each other for ever: with routing "
                                          "west_first on this torus the links "));
}

/// Every routing delivers what xy delivers.
TEST(ChipSimulation, RoutingsDeliverTheSameSpikes) {
  ChipCase made = ChipCase::random(4, {6, 5}, 1, 25);
  ChipStats expected = statsWith(made, Multicast::Unicast);
  for (Routing routing : {Routing::YX, Routing::WestFirst, Routing::OddEven, Routing::MinAdaptive,
                          Routing::PlanarAdaptive}) {
    made.chip.router.routing = routing;
    made.chip.router.virtualChannels = 4;
    made.chip.router.adaptiveOptions = AdaptiveOptions::All;
    ChipStats stats = statsWith(made, Multicast::Unicast);
    EXPECT_EQ(stats.packets, expected.packets);
    EXPECT_EQ(stats.tileSynapticEvents, expected.tileSynapticEvents);
    EXPECT_EQ(flitHops(stats), flitHops(expected));
  }
}

} // namespace
