// Packets from router to router against the routers that move flits stage by stage.
#include "lib/sdf/placed/PacketMesh.h"

#include "core/support/CounterRandom.h"
#include "sim/model/router/MeshNetwork.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

Chip chipOf(Mesh mesh, Router router) {
  Chip chip;
  chip.mesh = mesh;
  chip.router = router;
  return chip;
}

std::vector<uint64_t> arrivals(const Chip &chip, const std::vector<MeshPacket> &packets) {
  std::vector<uint64_t> cycles(packets.size());
  EXPECT_TRUE(PacketMesh(chip).run(
      packets, [&](uint32_t packet, uint32_t, uint64_t cycle) { cycles[packet] = cycle; }));
  return cycles;
}

std::vector<uint64_t> routerArrivals(const Chip &chip, const std::vector<MeshPacket> &packets) {
  MeshNetwork network(chip.mesh, chip.router);
  for (const MeshPacket &packet : packets)
    network.send(packet.source, packet.target, packet.flits, packet.madeCycle);
  network.drain();
  std::vector<uint64_t> cycles;
  for (const Packet &packet : network.packets())
    cycles.push_back(packet.tailCycle);
  return cycles;
}

/// In the cycle of the routers, whatever their stages, channels, buffers, links and flits.
TEST(PacketMesh, APacketThatIsAlone) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CounterRandom draw(seed);
    Router router;
    router.pipelineCycles = 1 + draw.below(6);
    router.endCycles = 1 + draw.below(4);
    router.virtualChannels = 1 + draw.below(3);
    router.bufferFlits = 8 + draw.below(4);
    uint32_t flits = 1 + draw.below(4);
    Mesh mesh{5, 4};
    if (seed % 2 == 0) {
      mesh.chipColumns = 5;
      mesh.chipRows = 2;
      router.chipLink = ChipLink{1 + draw.below(60), 1 + draw.below(5)};
    } else if (seed % 3 == 0) {
      mesh.topology = Topology::Tree;
    }
    Chip chip = chipOf(mesh, router);
    MeshPacket packet{draw.below(50), draw.below(20), 0, flits};
    packet.target = (packet.source + 1 + draw.below(19)) % 20;
    EXPECT_EQ(arrivals(chip, {packet}), routerArrivals(chip, {packet})) << seed;
  }
}

/// What a tile sends along one way waits for nothing but itself.
TEST(PacketMesh, ATrainOfSingleFlits) {
  for (uint32_t places = 1; places <= 8; ++places)
    for (uint32_t pipeline = 1; pipeline <= 5; ++pipeline) {
      Router router;
      router.bufferFlits = places;
      router.pipelineCycles = pipeline;
      Chip chip = chipOf({6, 1}, router);
      std::vector<MeshPacket> packets;
      for (uint64_t i = 0; i < 40; ++i)
        packets.push_back({i / 3, 0, 1 + static_cast<TileId>(i % 5), 1});
      EXPECT_EQ(arrivals(chip, packets), routerArrivals(chip, packets))
          << places << " " << pipeline;
    }
}

/// Everybody sends to everybody, and to one tile most: when the last packet is there.
TEST(PacketMesh, UnderLoad) {
  double sum = 0;
  constexpr uint64_t cases = 60;
  for (uint64_t seed = 1; seed <= cases; ++seed) {
    CounterRandom draw(seed);
    Router router;
    router.virtualChannels = 1 + draw.below(2);
    router.bufferFlits = 2 + draw.below(6);
    Mesh mesh{2 + draw.below(5), 2 + draw.below(5)};
    if (seed % 4 == 0) {
      mesh.columns *= 2;
      mesh.chipColumns = mesh.columns / 2;
      mesh.chipRows = mesh.rows;
      router.chipLink = ChipLink{1 + draw.below(20), 1 + draw.below(3)};
    } else if (seed % 4 == 1) {
      mesh.topology = Topology::Tree;
    }
    Chip chip = chipOf(mesh, router);
    std::vector<MeshPacket> packets;
    for (uint64_t i = 0; i < 600; ++i) {
      MeshPacket packet{i / (1 + seed % 4), draw.below(mesh.tiles()), 0, 1 + draw.below(3) / 2};
      packet.target = draw.below(3) == 0 && packet.source != 1
                          ? 1
                          : (packet.source + 1 + draw.below(mesh.tiles() - 1)) % mesh.tiles();
      packets.push_back(packet);
    }
    std::vector<uint64_t> found = arrivals(chip, packets), true_ = routerArrivals(chip, packets);
    double last = double(*std::max_element(found.begin(), found.end()));
    double trueLast = double(*std::max_element(true_.begin(), true_.end()));
    EXPECT_NEAR(last / trueLast, 1, 0.1) << seed;
    sum += std::abs(last / trueLast - 1);
  }
  EXPECT_LE(sum / cases, 0.03);
}

/// A mesh is as new after a run, and its load that of the run.
TEST(PacketMesh, RunsOneAfterTheOther) {
  Chip chip = chipOf({4, 4}, {});
  std::vector<MeshPacket> packets;
  for (uint32_t i = 0; i < 100; ++i)
    packets.push_back({i / 4, i % 7, 8 + i % 8, 1 + i % 2});
  PacketMesh mesh(chip);
  std::vector<uint64_t> runs[2];
  MeshLoad loads[2];
  for (int run : {0, 1}) {
    EXPECT_TRUE(
        mesh.run(packets, [&](uint32_t, uint32_t, uint64_t cycle) { runs[run].push_back(cycle); }));
    loads[run] = mesh.load();
    EXPECT_TRUE(mesh.run({}, [](uint32_t, uint32_t, uint64_t) {}));
    EXPECT_EQ(mesh.load().linkCycles, 0);
  }
  EXPECT_EQ(runs[0], runs[1]);
  MeshNetwork network(chip.mesh, chip.router);
  for (const MeshPacket &packet : packets)
    network.send(packet.source, packet.target, packet.flits, packet.madeCycle);
  network.drain();
  uint64_t link = 0, received = 0;
  for (TileId tile = 0; tile < 16; ++tile)
    for (uint32_t port = 0; port < kPorts; ++port) {
      uint64_t &most = port == kLocal ? received : link;
      most = std::max(most, network.linkFlits(tile, port));
    }
  EXPECT_EQ(loads[1].linkCycles, double(link) * RouterTiming(chip.router).link.busy);
  EXPECT_EQ(loads[1].received, received);
}

} // namespace
} // namespace spindle
