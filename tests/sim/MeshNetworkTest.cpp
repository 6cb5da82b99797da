#include "sim/model/router/MeshNetwork.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <map>

using namespace spindle;

namespace {

Router router(uint32_t pipelineCycles, uint32_t endCycles = 2, uint32_t bufferFlits = 4) {
  return {.pipelineCycles = pipelineCycles, .endCycles = endCycles, .bufferFlits = bufferFlits};
}

TEST(MeshNetwork, SinglePacketsMeetTheClosedFormAtEveryDistance) {
  for (Mesh mesh : {Mesh{5, 3}, Mesh{4, 4, Topology::Tree}, Mesh{5, 3, Topology::Tree}})
    for (uint32_t pipelineCycles : {1, 2, 3, 4, 5, 9})
      for (uint32_t endCycles : {0, 1, 2, 21})
        for (uint32_t flits : {1, 4}) {
          MeshNetwork network(mesh, router(pipelineCycles, endCycles));
          uint64_t madeCycle = 0;
          for (TileId from = 0; from < mesh.tiles(); ++from)
            for (TileId to = 0; to < mesh.tiles(); ++to, madeCycle += 1000)
              network.send(from, to, flits, madeCycle);
          network.drain();
          ASSERT_EQ(network.delivered(), mesh.tiles() * mesh.tiles());
          for (const Packet &packet : network.packets()) {
            uint32_t hops = mesh.hops(packet.source, packet.target);
            ASSERT_EQ(packet.headCycle - packet.madeCycle, pipelineCycles * (hops + 1) + endCycles);
            ASSERT_EQ(packet.headCycle - packet.madeCycle,
                      headLatencyCycles(router(pipelineCycles, endCycles), hops));
            ASSERT_EQ(packet.tailCycle - packet.headCycle, flits - 1);
          }
        }
}

/// Each stage adds its cycles to every hop, whatever the number of channels.
TEST(MeshNetwork, StagesAddUpAtEveryDistance) {
  Mesh mesh{4, 3};
  for (uint32_t channels : {1, 3})
    for (StageCycles stages : {StageCycles{}, StageCycles{.routing = 0, .speculative = true},
                               StageCycles{.routing = 2, .channelAllocation = 3},
                               StageCycles{.switchAllocation = 2, .switchTraversal = 4},
                               StageCycles{.routing = 0, .link = 5, .credit = 0}}) {
      Router parameters{
          .endCycles = 7, .bufferFlits = 16, .virtualChannels = channels, .stages = stages};
      MeshNetwork network(mesh, parameters);
      uint64_t madeCycle = 0;
      for (TileId from = 0; from < mesh.tiles(); ++from)
        for (TileId to = 0; to < mesh.tiles(); ++to, madeCycle += 1000)
          network.send(from, to, 1, madeCycle);
      network.drain();
      uint32_t hop = stages.routing + (stages.speculative ? 0 : stages.channelAllocation) +
                     stages.switchAllocation + stages.switchTraversal + stages.link;
      for (const Packet &packet : network.packets()) {
        uint32_t hops = mesh.hops(packet.source, packet.target);
        ASSERT_EQ(packet.headCycle - packet.madeCycle, 7 + hop * (hops + 1) - (stages.link - 1));
        ASSERT_EQ(packet.headCycle - packet.madeCycle, headLatencyCycles(parameters, hops));
      }
    }
}

Mesh joinedMesh(Mesh chips, Mesh chip) {
  Mesh mesh{chips.columns * chip.columns, chips.rows * chip.rows};
  mesh.chipColumns = chip.columns;
  mesh.chipRows = chip.rows;
  return mesh;
}

/// A link between chips adds what it takes longer, and spreads the flits of a packet, which close
/// up again while the head is routed.
TEST(MeshNetwork, LinksBetweenChipsTakeTheirOwnCycles) {
  Mesh mesh = joinedMesh({2, 3}, {3, 2});
  for (uint32_t cycles : {1, 7, 100})
    for (uint32_t interval : {1, 5})
      for (StageCycles stages :
           {StageCycles{}, StageCycles{.routing = 0, .speculative = true},
            StageCycles{.switchAllocation = 2, .switchTraversal = 3, .link = 2}}) {
        Router parameters{.endCycles = 3, .bufferFlits = 8, .stages = stages};
        parameters.chipLink = ChipLink{cycles, interval};
        MeshNetwork network(mesh, parameters);
        uint64_t madeCycle = 0;
        for (TileId from = 0; from < mesh.tiles(); ++from)
          for (TileId to = 0; to < mesh.tiles(); ++to, madeCycle += 5000)
            network.send(from, to, 4, madeCycle);
        network.drain();
        ASSERT_EQ(network.delivered(), mesh.tiles() * mesh.tiles());
        uint32_t hop = stages.routing + (stages.speculative ? 0 : stages.channelAllocation) +
                       stages.switchAllocation + stages.switchTraversal + stages.link;
        for (const Packet &packet : network.packets()) {
          uint32_t hops = mesh.hops(packet.source, packet.target);
          uint32_t crossings = mesh.crossings(packet.source, packet.target);
          uint64_t head = packet.headCycle - packet.madeCycle;
          ASSERT_EQ(head, 3 + hop * (hops + 1) - (stages.link - 1) +
                              crossings * (int64_t(cycles) - stages.link));
          ASSERT_EQ(head, headLatencyCycles(parameters, hops, crossings));
          uint64_t behind = packet.tailCycle - packet.headCycle;
          if (stages.switchAllocation > 1)
            continue; // flits go in batches
          // In the routers behind the last such link the head waits to be routed, the others do
          // not.
          std::vector<TileId> way = mesh.route(packet.source, packet.target);
          uint32_t routers = 1;
          while (routers < way.size() &&
                 mesh.crossings(way[way.size() - routers - 1], way[way.size() - routers]) == 0)
            ++routers;
          uint32_t waits = routers * RouterTiming(parameters).allocation();
          uint32_t spread = crossings > 0 ? 3 * interval : 3;
          ASSERT_EQ(behind, std::max(3u, spread - std::min(spread, waits)));
        }
      }
}

/// One flit per interval, and no more in a round of flit and credit than there are places.
TEST(MeshNetwork, LinksBetweenChipsAreAsFastAsTheirIntervalAndTheirCredits) {
  for (uint32_t cycles : {1, 6, 30})
    for (uint32_t interval : {1, 3})
      for (uint32_t places : {2, 8, 64}) {
        Router parameters = router(3, 2, places);
        parameters.chipLink = ChipLink{cycles, interval};
        MeshNetwork network(joinedMesh({2, 1}, {1, 1}), parameters);
        constexpr uint32_t packets = 4000;
        for (uint32_t i = 0; i < packets; ++i)
          network.send(0, 1, 1, 0);
        network.drain();
        double rate = double(network.packets().back().tailCycle) / packets;
        double busy = RouterTiming(parameters).chipLink.busy;
        ASSERT_NEAR(rate, busy, 0.03 * busy) << cycles << " " << interval << " " << places;
        // Forward: switch and link. Back: switch, link, credit.
        double loop = 2 * cycles + 4;
        ASSERT_NEAR(busy, std::max<double>(interval, loop / places), 1e-9);
      }
}

/// A place is free again six cycles after it was filled (three forward, three for the credit), so
/// four places let four flits pass in six cycles.
TEST(MeshNetwork, LongPacketsWaitForCredits) {
  for (uint32_t flits = 1; flits <= 13; ++flits) {
    MeshNetwork network({2, 1}, router(3));
    network.send(0, 1, flits, 100);
    network.drain();
    const Packet &packet = network.packets().front();
    EXPECT_EQ(packet.headCycle, 100u + 3 * 2 + 2);
    EXPECT_EQ(packet.tailCycle, packet.headCycle + 6 * ((flits - 1) / 4) + (flits - 1) % 4);
  }
}

/// Tiles 0 and 2 send four flits each to tile 1 between them. Both heads stand before its switch in
/// cycle 5; a fresh arbiter prefers the east. The other packet follows the tail by one cycle, and
/// its head waits until cycle 5 + 6 for the place of the first flit at the receiving end.
TEST(MeshNetwork, TwoPacketsForOneTileFollowEachOther) {
  MeshNetwork network({3, 1}, router(3));
  PacketId west = network.send(0, 1, 4, 0), east = network.send(2, 1, 4, 0);
  network.drain();
  EXPECT_EQ(network.packets()[east].headCycle, 8u);
  EXPECT_EQ(network.packets()[east].tailCycle, 11u);
  EXPECT_EQ(network.packets()[west].headCycle, 14u);
  EXPECT_EQ(network.packets()[west].tailCycle, 17u);
}

/// Of the case before: four flits of the east packet and the west head come together; the west
/// packet's flits wait from 5, 6, 7 and 8 until they pass the switch in 11, 12, 13 and 14.
TEST(MeshNetwork, BlockedFlitsAreCounted) {
  MeshNetwork network({3, 1}, router(3));
  network.send(0, 1, 4, 0);
  network.send(2, 1, 4, 0);
  network.drain();
  EXPECT_EQ(network.bufferUse(), (BufferUse{4 * 6, 0}));
  // With a stage for the channel each head spends a cycle in every router without contention.
  MeshNetwork alone({3, 1}, router(4));
  alone.send(0, 2, 1, 0);
  alone.drain();
  EXPECT_EQ(alone.bufferUse(), (BufferUse{3, 3}));
}

/// The same with five pipeline cycles: heads arrive in cycle 7, are allocated in 8, switched in 9;
/// the place is free in 15.
TEST(MeshNetwork, TwoPacketsWithALongerPipeline) {
  MeshNetwork network({3, 1}, router(5));
  PacketId west = network.send(0, 1, 4, 0), east = network.send(2, 1, 4, 0);
  network.drain();
  EXPECT_EQ(network.packets()[east].headCycle, 12u);
  EXPECT_EQ(network.packets()[east].tailCycle, 15u);
  EXPECT_EQ(network.packets()[west].headCycle, 18u);
  EXPECT_EQ(network.packets()[west].tailCycle, 21u);
}

/// Single flits from both sides in every cycle: the arbiter alternates.
TEST(MeshNetwork, ContendersTakeTurns) {
  MeshNetwork network({3, 1}, router(3, 2, 16));
  for (uint64_t cycle = 0; cycle < 4; ++cycle) {
    network.send(0, 1, 1, cycle);
    network.send(2, 1, 1, cycle);
  }
  network.drain();
  for (PacketId id = 0; id < 8; ++id) // sent west, east, west, …; east goes first
    EXPECT_EQ(network.packets()[id].tailCycle, 8u + (id ^ 1));
}

TEST(MeshNetwork, PacketsOfOneSourceQueueBehindEachOther) {
  MeshNetwork network({2, 1}, router(3, 2, 16));
  for (int i = 0; i < 10; ++i)
    network.send(0, 1, 3, 50);
  network.drain();
  for (PacketId id = 0; id < 10; ++id)
    EXPECT_EQ(network.packets()[id].tailCycle, 50u + 8 + 3 * id + 2);
}

/// A router with virtual channels and stages of its own.
Router channelRouter(uint32_t channels, Routing routing, StageCycles stages = {},
                     SwitchAllocation allocator = SwitchAllocation::Separable,
                     uint32_t bufferFlits = 4) {
  return {.bufferFlits = bufferFlits,
          .virtualChannels = channels,
          .routing = routing,
          .allocator = allocator,
          .stages = stages,
          .adaptiveOptions = AdaptiveOptions::All};
}
constexpr StageCycles kSpeculative{.routing = 0, .speculative = true};

/// What checkDeadlockFree refuses: on a ring of five with one channel, every tile sends to the one
/// two further on. Each packet holds a link and waits for the next.
TEST(MeshNetwork, ABlockedCycleIsNamed) {
  MeshNetwork network({5, 1, Topology::Torus}, router(3));
  for (int round = 0; round < 20; ++round)
    for (TileId tile = 0; tile < 5; ++tile)
      network.send(tile, (tile + 2) % 5, 30, 0);
  network.drain();
  EXPECT_LT(network.delivered(), 100u);
  std::vector<LinkChannel> cycle = network.blockedCycle();
  ASSERT_EQ(cycle.size(), 5u);
  for (const LinkChannel &link : cycle)
    EXPECT_EQ(link.port, kEast);
  EXPECT_THAT(network.stuckText(),
              ::testing::HasSubstr(" of 100 packets delivered, the others are stuck: the links "));
  EXPECT_THAT(network.stuckText(),
              ::testing::HasSubstr(" east wait for each other in a circle (tile and direction)"));

  MeshNetwork wide({7, 1, Topology::Torus},
                   channelRouter(2, Routing::WestFirst)); // three want each link
  for (TileId tile = 0; tile < 7; ++tile)
    wide.send(tile, (tile + 3) % 7, 30, 0);
  wide.drain();
  EXPECT_THAT(wide.stuckText(), ::testing::ContainsRegex("[0-6] east channel [01], [0-6] east"));

  MeshNetwork two({5, 1, Topology::Torus}, channelRouter(2, Routing::XY));
  for (TileId tile = 0; tile < 5; ++tile)
    two.send(tile, (tile + 2) % 5, 30, 0);
  two.drain();
  EXPECT_EQ(two.delivered(), 5u);
  EXPECT_TRUE(two.blockedCycle().empty());
}

struct Traffic {
  Mesh mesh;
  Router parameters;
  uint32_t packets, mostFlits;
  uint64_t spanCycles; // in which they are made
  bool toOneTile = false;

  /// One way from tile to tile, and no packet overtakes another.
  bool isOrdered() const {
    return parameters.virtualChannels == 1 &&
           (parameters.routing == Routing::XY || parameters.routing == Routing::YX);
  }
};

void PrintTo(const Traffic &traffic, std::ostream *stream) {
  *stream << traffic.packets << " packets of up to " << traffic.mostFlits << " flits in "
          << traffic.spanCycles << " cycles" << (traffic.toOneTile ? " to one tile" : "") << ", "
          << kRoutingNames[static_cast<size_t>(traffic.parameters.routing)] << ", "
          << traffic.parameters.virtualChannels << " channels";
}

/// Random traffic, light to far beyond saturation, on routers of many kinds.
class RandomTraffic : public ::testing::TestWithParam<Traffic> {
protected:
  static void send(MeshNetwork &network, const Traffic &traffic, uint64_t seed) {
    CounterRandom random(seed);
    std::vector<uint64_t> madeCycles(traffic.packets);
    for (uint64_t &cycle : madeCycles)
      cycle = network.now() + random.below(static_cast<uint32_t>(traffic.spanCycles));
    std::sort(madeCycles.begin(), madeCycles.end());
    for (uint64_t cycle : madeCycles) {
      TileId source = random.below(traffic.mesh.tiles());
      TileId target = traffic.toOneTile ? 0 : random.below(traffic.mesh.tiles());
      network.send(source, target, 1 + random.below(traffic.mostFlits), cycle);
    }
  }
};

TEST_P(RandomTraffic, EveryPacketArrivesOnceInOrderAndNotTooEarly) {
  const Traffic &traffic = GetParam();
  MeshNetwork network(traffic.mesh, traffic.parameters);
  send(network, traffic, 5);
  network.drain();
  ASSERT_EQ(network.delivered(), traffic.packets);
  std::map<std::pair<TileId, TileId>, uint64_t> lastTail;
  for (const Packet &packet : network.packets()) {
    uint32_t hops = traffic.mesh.hops(packet.source, packet.target);
    ASSERT_GE(packet.headCycle, packet.madeCycle + headLatencyCycles(traffic.parameters, hops));
    ASSERT_GE(packet.tailCycle, packet.headCycle + packet.flits - 1);
    uint64_t &before = lastTail[{packet.source, packet.target}];
    if (traffic.isOrdered()) {
      ASSERT_GT(packet.headCycle, before) << "overtaken on the way";
    }
    before = packet.tailCycle;
  }
}

TEST_P(RandomTraffic, ATileTakesOneFlitPerCycleAndPacketsDoNotInterleave) {
  const Traffic &traffic = GetParam();
  MeshNetwork network(traffic.mesh, traffic.parameters);
  send(network, traffic, 6);
  network.drain();
  if (traffic.parameters.virtualChannels > 1)
    return;                                                 // flits of different channels alternate
  std::map<std::pair<TileId, uint64_t>, uint64_t> received; // (tile, head) → tail
  for (const Packet &packet : network.packets())
    ASSERT_TRUE(
        received.emplace(std::pair{packet.target, packet.headCycle}, packet.tailCycle).second);
  for (auto it = received.begin(), next = std::next(it); next != received.end(); it = next++)
    if (it->first.first == next->first.first) {
      ASSERT_LT(it->second, next->first.second);
    }
}

TEST_P(RandomTraffic, LinksCarryTheFlitsOfTheRoutes) {
  const Traffic &traffic = GetParam();
  MeshNetwork network(traffic.mesh, traffic.parameters);
  send(network, traffic, 7);
  network.drain();
  std::map<std::pair<TileId, TileId>, uint64_t> expected, counted;
  uint64_t expectedHops = 0, countedHops = 0;
  for (const Packet &packet : network.packets()) {
    std::vector<TileId> route = traffic.mesh.route(packet.source, packet.target);
    for (size_t i = 1; i < route.size(); ++i)
      expected[{route[i - 1], route[i]}] += packet.flits;
    expectedHops += packet.flits * (route.size() - 1);
  }
  for (TileId tile = 0; tile < traffic.mesh.routers(); ++tile)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (uint64_t flits = network.linkFlits(tile, port);
          flits > 0 && !leadsToTile(traffic.mesh, tile, port)) {
        counted[{tile, network.neighbour(tile, port)}] += flits;
        countedHops += flits;
      }
  EXPECT_EQ(countedHops, expectedHops); // every routing takes shortest ways
  if (traffic.parameters.routing == Routing::XY) {
    EXPECT_EQ(counted, expected);
  }
}

/// A second batch on the same network is as good as on a fresh one; equal runs give equal times.
TEST_P(RandomTraffic, BatchesAreIndependentAndRunsRepeat) {
  const Traffic &traffic = GetParam();
  MeshNetwork one(traffic.mesh, traffic.parameters), two(traffic.mesh, traffic.parameters);
  for (MeshNetwork *network : {&one, &two})
    for (uint64_t seed : {8, 9}) {
      send(*network, traffic, seed);
      network->drain();
      ASSERT_EQ(network->delivered(), traffic.packets);
      if (seed == 8)
        network->forgetPackets();
    }
  for (PacketId id = 0; id < traffic.packets; ++id) {
    ASSERT_EQ(one.packets()[id].headCycle, two.packets()[id].headCycle);
    ASSERT_EQ(one.packets()[id].tailCycle, two.packets()[id].tailCycle);
  }
}

INSTANTIATE_TEST_SUITE_P(
    MeshNetwork, RandomTraffic,
    ::testing::Values(
        Traffic{{4, 4}, router(3), 2000, 4, 20000}, Traffic{{8, 8}, router(5), 4000, 1, 1000},
        Traffic{{8, 8}, router(3), 3000, 9, 10},        // all at once
        Traffic{{3, 7}, router(1, 0, 1), 2000, 6, 500}, // the smallest router
        Traffic{{7, 3}, router(2, 1, 2), 2000, 2, 500},
        Traffic{{5, 5}, router(4, 30, 3), 2000, 5, 500},
        Traffic{{16, 16}, router(12, 2, 64), 4000, 20, 300},
        Traffic{{9, 8}, router(3), 2000, 4, 100, /*toOneTile=*/true},
        Traffic{{1, 1}, router(3), 100, 3, 100}, Traffic{{12, 1}, router(3), 1000, 3, 100},
        Traffic{{8, 8}, channelRouter(4, Routing::XY, kSpeculative), 4000, 6, 100},
        Traffic{{8, 8}, channelRouter(2, Routing::YX), 3000, 6, 100},
        Traffic{{6, 5}, channelRouter(1, Routing::YX, kSpeculative), 2000, 4, 100},
        Traffic{{8, 8}, channelRouter(1, Routing::WestFirst), 3000, 6, 100},
        Traffic{{7, 8}, channelRouter(3, Routing::WestFirst, kSpeculative), 3000, 6, 100},
        Traffic{{8, 8}, channelRouter(1, Routing::OddEven), 3000, 6, 100},
        Traffic{{7, 7}, channelRouter(2, Routing::OddEven, kSpeculative), 3000, 6, 100},
        Traffic{{8, 8}, channelRouter(4, Routing::MinAdaptive), 3000, 1, 100},
        Traffic{{8, 8}, channelRouter(3, Routing::PlanarAdaptive, kSpeculative), 3000, 6, 100},
        Traffic{{7, 7, Topology::Torus}, channelRouter(2, Routing::XY, kSpeculative), 3000, 6, 100},
        Traffic{{8, 6, Topology::Torus}, channelRouter(5, Routing::YX), 3000, 6, 100},
        Traffic{{6, 6, Topology::Torus}, channelRouter(4, Routing::MinAdaptive), 3000, 1, 100},
        Traffic{{2, 1, Topology::Torus}, channelRouter(2, Routing::XY), 500, 3, 50},
        Traffic{{8, 8, Topology::Tree}, router(3), 3000, 6, 100},
        Traffic{{5, 7, Topology::Tree}, router(4, 30, 3), 2000, 5, 500},
        Traffic{{6, 3, Topology::Tree}, router(1, 0, 1), 2000, 6, 500},
        Traffic{{8, 8, Topology::Tree}, channelRouter(4, Routing::XY, kSpeculative), 3000, 6, 100},
        Traffic{{1, 1, Topology::Tree}, router(3), 100, 3, 100},
        Traffic{{8, 8},
                channelRouter(4, Routing::XY, kSpeculative, SwitchAllocation::Islip),
                3000,
                6,
                100},
        Traffic{
            {6, 6}, channelRouter(12, Routing::XY, {}, SwitchAllocation::Islip, 1), 2000, 6, 100},
        Traffic{{6, 6},
                channelRouter(2, Routing::XY,
                              {.routing = 3,
                               .channelAllocation = 2,
                               .switchAllocation = 3,
                               .switchTraversal = 2,
                               .link = 4,
                               .credit = 0}),
                2000,
                5,
                200},
        Traffic{
            {6, 6},
            channelRouter(1, Routing::OddEven, {.routing = 0, .switchTraversal = 3, .credit = 5}),
            2000,
            5,
            100,
            /*toOneTile=*/true}));

} // namespace
