#include "sim/model/bus/SegmentedBus.h"

#include "tests/sim/bus/BusTraffic.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <array>
#include <map>

using namespace spindle;

namespace {

std::vector<WatchedLink> allBusLinks(const std::vector<TileId> &line) {
  std::vector<WatchedLink> links;
  for (uint32_t i = 1; i < line.size(); ++i) {
    links.push_back({line[i - 1], line[i]});
    links.push_back({line[i], line[i - 1]});
  }
  return links;
}

using BusCycles = std::vector<std::array<uint64_t, 3>>;

BusCycles busCycles(const SegmentedBus &bus) {
  BusCycles cycles;
  for (const Packet &packet : bus.packets())
    cycles.push_back({packet.injectedCycle, packet.headCycle, packet.tailCycle});
  return cycles;
}

TEST(SegmentedBus, SinglePacketsMeetTheClosedFormAtEveryDistance) {
  for (auto [columns, rows] : {std::pair{1u, 1u}, {7u, 1u}, {1u, 6u}, {4u, 3u}, {2u, 5u}})
    for (uint32_t lanes : {1, 3})
      for (uint32_t segmentsPerCycle : {0, 1, 4})
        for (uint32_t interval : {1, 5})
          for (uint32_t flits : {1, 4}) {
            Mesh mesh = busOf(columns, rows);
            SegmentedBus bus(mesh, busRouter(lanes, segmentsPerCycle, interval));
            uint64_t madeCycle = 7;
            for (TileId from = 0; from < mesh.tiles(); ++from)
              for (TileId to = 0; to < mesh.tiles(); ++to, madeCycle += 1000)
                bus.send(from, to, flits, madeCycle);
            bus.drain();
            ASSERT_EQ(bus.delivered(), mesh.tiles() * mesh.tiles());
            for (const Packet &packet : bus.packets()) {
              uint32_t hops = mesh.hops(packet.source, packet.target);
              uint32_t wires = segmentsPerCycle == 0
                                   ? std::min(hops, 1u)
                                   : (hops + segmentsPerCycle - 1) / segmentsPerCycle;
              ASSERT_EQ(packet.injectedCycle, packet.madeCycle);
              ASSERT_EQ(packet.headCycle, packet.madeCycle + 3 + wires);
              ASSERT_EQ(packet.tailCycle, packet.headCycle + (flits - 1) * interval);
            }
          }
}

TEST(SegmentedBus, DoesWhatItsLawSaysCycleByCycle) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    BusTraffic traffic = randomBusTraffic(seed);
    SteppedBus stepped(traffic.mesh, traffic.router);
    stepped.packets = traffic.packets;
    stepped.run();

    SegmentedBus bus(traffic.mesh, traffic.router);
    std::vector<WatchedLink> links = allBusLinks(stepped.order);
    std::vector<ClockedNetwork::Reception> receptions;
    bus.watch(links, UINT64_MAX);
    bus.tellReceptions(receptions);
    for (const SteppedBusPacket &packet : traffic.packets)
      sendOverBus(bus, packet);
    bus.drain();

    ASSERT_EQ(bus.delivered(), traffic.packets.size());
    std::map<std::pair<PacketId, uint32_t>, uint64_t> told;
    for (const ClockedNetwork::Reception &one : receptions)
      told[{one.packet, one.target}] = one.cycle;
    ASSERT_EQ(told.size(), receptions.size());
    for (PacketId id = 0; id < bus.packets().size(); ++id) {
      const SteppedBusPacket &expected = stepped.packets[id];
      const Packet &packet = bus.packets()[id];
      const uint64_t tail = (expected.flits - 1) * traffic.router.linkIntervalCycles;
      ASSERT_EQ(packet.injectedCycle, expected.injectedCycle) << seed << ": " << id;
      ASSERT_EQ(packet.headCycle, std::ranges::max(expected.headCycles));
      ASSERT_EQ(packet.tailCycle, packet.headCycle + tail);
      for (uint32_t target = 0; target < expected.targets.size(); ++target) {
        ASSERT_EQ((told.at({id, target})), expected.headCycles[target] + tail);
        if (packet.tree == Packet::kNoTree)
          continue;
        ASSERT_EQ(bus.arrivalAt(id, target).headCycle, expected.headCycles[target]);
        ASSERT_EQ(bus.arrivalAt(id, target).tailCycle, expected.headCycles[target] + tail);
      }
    }

    std::set<SteppedBus::Passing> passings;
    for (const LinkFlit &flit : bus.watchedFlits())
      passings.insert({links[flit.link].from, links[flit.link].to, flit.cycle, flit.packet,
                       flit.channel, flit.head, flit.tail});
    ASSERT_EQ(passings.size(), bus.watchedFlits().size());
    ASSERT_EQ(passings, stepped.passings);
    const Mesh &mesh = traffic.mesh;
    for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
      uint32_t x = mesh.x(tile), y = mesh.y(tile);
      std::map<uint32_t, uint64_t> at{{kLocal, stepped.receivedFlits[tile]}};
      if (x + 1 < mesh.columns)
        at[kEast] = stepped.linkFlits[{tile, tile + 1}];
      if (x > 0)
        at[kWest] = stepped.linkFlits[{tile, tile - 1}];
      if (y + 1 < mesh.rows)
        at[kSouth] = stepped.linkFlits[{tile, tile + mesh.columns}];
      if (y > 0)
        at[kNorth] = stepped.linkFlits[{tile, tile - mesh.columns}];
      for (uint32_t port = 0; port < kPorts; ++port)
        ASSERT_EQ(bus.linkFlits(tile, port), at[port]) << tile << " " << kPortNames[port];
    }
  }
}

/// Whatever the arbiter does: wires are never shared, an interval lies between their flits, and
/// packets keep their order.
TEST(SegmentedBus, FlitsNeverMeetOnAWire) {
  for (uint64_t seed = 1000; seed < 1060; ++seed) {
    BusTraffic traffic = randomBusTraffic(seed, 600);
    SegmentedBus bus(traffic.mesh, traffic.router);
    std::vector<WatchedLink> links = allBusLinks(SteppedBus(traffic.mesh, traffic.router).order);
    bus.watch(links, UINT64_MAX);
    for (const SteppedBusPacket &packet : traffic.packets)
      sendOverBus(bus, packet);
    bus.drain();
    ASSERT_EQ(bus.delivered(), traffic.packets.size());

    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> cycles; // (lane, segment)
    for (const LinkFlit &flit : bus.watchedFlits())
      cycles[{flit.channel, flit.link / 2}].push_back(flit.cycle);
    for (auto &[wire, passed] : cycles) {
      ASSERT_LT(wire.first, traffic.router.bus.lanes);
      std::ranges::sort(passed);
      for (size_t i = 1; i < passed.size(); ++i)
        ASSERT_GE(passed[i], passed[i - 1] + traffic.router.linkIntervalCycles) << seed;
    }
    std::map<TileId, uint64_t> freeCycle; // of the sources
    for (const Packet &packet : bus.packets()) {
      ASSERT_GE(packet.injectedCycle, std::max(packet.madeCycle, freeCycle[packet.source]));
      freeCycle[packet.source] =
          packet.injectedCycle + packet.flits * traffic.router.linkIntervalCycles;
    }
  }
}

TEST(SegmentedBus, RunsInPiecesAsInOneGo) {
  for (uint64_t seed = 2000; seed < 2100; ++seed) {
    BusTraffic traffic = randomBusTraffic(seed);
    SegmentedBus whole(traffic.mesh, traffic.router), pieces(traffic.mesh, traffic.router);
    for (const SteppedBusPacket &packet : traffic.packets)
      sendOverBus(whole, packet);
    whole.drain();
    EXPECT_FALSE(whole.runUntil(UINT64_MAX));

    CounterRandom random(seed, 1);
    std::vector<ClockedNetwork::Reception> receptions;
    pieces.tellReceptions(receptions);
    size_t sent = 0;
    for (uint64_t end = 0; sent < traffic.packets.size() || pieces.delivered() < sent;) {
      size_t told = receptions.size();
      uint64_t begin = end;
      end += random.below(50);
      for (; sent < traffic.packets.size() && traffic.packets[sent].madeCycle < end; ++sent)
        sendOverBus(pieces, traffic.packets[sent]);
      bool isMoving = pieces.runUntil(end);
      ASSERT_EQ(isMoving, pieces.delivered() < sent);
      for (; told < receptions.size(); ++told) // none comes too late for those who wait
        ASSERT_GE(receptions[told].cycle, begin);
    }
    ASSERT_EQ(busCycles(pieces), busCycles(whole));
  }
}

/// Packets of the past are forgotten, but not which wires they still have, nor whose turn it is.
TEST(SegmentedBus, GoesOnAfterItHasForgotten) {
  for (uint64_t seed = 3000; seed < 3100; ++seed) {
    BusTraffic traffic = randomBusTraffic(seed), later = randomBusTraffic(seed);
    SegmentedBus whole(traffic.mesh, traffic.router), forgetful(traffic.mesh, traffic.router);
    for (const SteppedBusPacket &packet : traffic.packets)
      sendOverBus(forgetful, packet);
    forgetful.drain();
    BusCycles cycles = busCycles(forgetful);
    forgetful.forgetPackets();
    EXPECT_EQ(forgetful.delivered(), 0u);
    EXPECT_TRUE(forgetful.packets().empty());

    uint64_t last = 0;
    for (const std::array<uint64_t, 3> &one : cycles)
      last = std::max(last, one[0]);
    for (SteppedBusPacket &packet : later.packets) {
      packet.madeCycle += last + 1;
      sendOverBus(forgetful, packet);
    }
    forgetful.drain();
    for (const std::array<uint64_t, 3> &one : busCycles(forgetful))
      cycles.push_back(one);

    for (const std::vector<SteppedBusPacket> &packets : {traffic.packets, later.packets})
      for (const SteppedBusPacket &packet : packets)
        sendOverBus(whole, packet);
    whole.drain();
    ASSERT_EQ(cycles, busCycles(whole));
    for (TileId tile = 0; tile < traffic.mesh.tiles(); ++tile)
      for (uint32_t port = 0; port < kPorts; ++port)
        ASSERT_EQ(forgetful.linkFlits(tile, port), whole.linkFlits(tile, port));
  }
}

/// All need the wire in the middle: tile after tile has it, without a gap.
TEST(SegmentedBus, TakesTurnsWhereAllNeedOneWire) {
  Mesh mesh = busOf(6, 1);
  SegmentedBus bus(mesh, busRouter(1, 0, 2));
  for (uint32_t round = 0; round < 20; ++round)
    for (TileId tile = 0; tile < mesh.tiles(); ++tile)
      bus.send(tile, mesh.tiles() - 1 - tile, 3, 0);
  bus.drain();
  for (PacketId id = 0; id < bus.packets().size(); ++id)
    ASSERT_EQ(bus.packets()[id].injectedCycle, id * 3 * 2);
}

/// Neighbours on the left and on the right keep the bus busy, never all of it free at once.
TEST(SegmentedBus, WideSpansDoNotStarveAmongNarrowOnes) {
  SegmentedBus bus(busOf(5, 1), busRouter(1));
  PacketId wide = 0;
  for (uint64_t madeCycle = 0; madeCycle < 4000; madeCycle += 2) {
    bus.send(madeCycle % 4 == 0 ? 0 : 2, madeCycle % 4 == 0 ? 1 : 3, 4, madeCycle);
    if (madeCycle == 400)
      wide = bus.send(4, 0, 4, madeCycle);
  }
  bus.drain();
  // The transfers that it meets began in cycles 398 and 400, the latter before its turn.
  EXPECT_EQ(bus.packets()[wide].injectedCycle, 404u);
}

/// The bound of the header, with all tiles sending all the time.
TEST(SegmentedBus, EveryPacketAtAFrontIsSentAfterAClaimOfEachTile) {
  for (uint64_t seed = 4000; seed < 4060; ++seed) {
    BusTraffic traffic = randomBusTraffic(seed, 1000);
    SteppedBus law(traffic.mesh, traffic.router);
    SegmentedBus bus(traffic.mesh, traffic.router);
    for (SteppedBusPacket &packet : traffic.packets) {
      packet.madeCycle = 0;
      sendOverBus(bus, packet);
    }
    bus.drain();
    const uint32_t tiles = traffic.mesh.tiles(), interval = traffic.router.linkIntervalCycles;
    const uint64_t longest = 6 * interval + law.wires(tiles - 1) - (tiles > 1);
    std::map<TileId, uint64_t> frontCycle;
    for (const Packet &packet : bus.packets()) {
      ASSERT_LE(packet.injectedCycle, frontCycle[packet.source] + tiles * longest) << seed;
      frontCycle[packet.source] = packet.injectedCycle + packet.flits * interval;
    }
  }
}

TEST(SegmentedBus, HasNeitherBuffersNorRoutersThatSleep) {
  SegmentedBus bus(busOf(3, 1), busRouter(2));
  bus.send(0, 2, 1, 0);
  EXPECT_EQ(bus.stuckText(), "0 of 1 packets delivered, the others are stuck");
  bus.drain();
  EXPECT_EQ(bus.bufferUse(), BufferUse());
  EXPECT_EQ(bus.gatingUse(100), GatingUse());
  EXPECT_EQ(bus.gatingUse(TileId(1), 100), GatingUse());
}

} // namespace
