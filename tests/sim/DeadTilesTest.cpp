// Meshes of which tiles are missing: packets between the others arrive, or the chip is refused.
#include "core/chip/routing/ChannelDependences.h"
#include "core/support/CounterRandom.h"
#include "sim/model/ChipSimulation.h"
#include "sim/model/Replay.h"
#include "sim/model/router/MeshNetwork.h"
#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

#include <numeric>
#include <queue>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

Chip chipOf(Mesh mesh, Router router) {
  Chip chip;
  chip.path = "chip.yaml";
  chip.name = "chip";
  chip.mesh = mesh;
  chip.router = std::move(router);
  return chip;
}

/// By a search over the tiles that work, or a walk along x, then y.
bool areJoined(const Chip &chip) {
  auto isDead = [&](TileId tile) {
    const std::vector<TileId> &dead = chip.router.deadTiles;
    return std::count(dead.begin(), dead.end(), tile) > 0;
  };
  bool isJoined = true;
  std::vector<bool> seen(chip.mesh.tiles());
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile) {
    if (isDead(tile))
      continue;
    if (chip.router.routing == Routing::XY)
      for (TileId to = 0; to < chip.mesh.tiles(); ++to)
        for (TileId on : chip.mesh.route(tile, to))
          isJoined &= isDead(to) || !isDead(on);
    bool isFirst = std::count(seen.begin(), seen.end(), true) == 0;
    isJoined &= isFirst || seen[tile];
    if (!isFirst)
      continue;
    std::queue<TileId> open({tile});
    for (seen[tile] = true; !open.empty(); open.pop())
      for (uint32_t port = 0; port < kLocal; ++port)
        if (TileId next = neighbourOf(chip.mesh, open.front(), port);
            !seen[next] && !isDead(next)) {
          seen[next] = true;
          open.push(next);
        }
  }
  return isJoined;
}

TEST(DeadTiles, PacketsArriveOrTheChipIsRefused) {
  uint32_t routed = 0, cut = 0, notRouted = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom draw(seed);
    Chip chip = chipOf({2 + draw.below(5), 2 + draw.below(5),
                        draw.below(4) == 0 ? Topology::Torus : Topology::Mesh},
                       {.bufferFlits = 1 + draw.below(4), .virtualChannels = 2});
    chip.router.routing = draw.below(4) == 0 ? Routing::XY : Routing::UpDown;
    uint32_t rarity = 3 + draw.below(12);
    std::vector<TileId> alive;
    for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
      (draw.below(rarity) == 0 ? chip.router.deadTiles : alive).push_back(tile);
    if (alive.empty())
      continue;
    PacketTrace trace;
    for (uint64_t cycle = 0; trace.packets.size() < 300; cycle += draw.below(6) == 0)
      trace.packets.push_back({cycle,
                               alive[draw.below(uint32_t(alive.size()))],
                               {alive[draw.below(uint32_t(alive.size()))]},
                               1 + draw.below(5)});
    MeshNetwork network(chip.mesh, chip.router);
    llvm::Expected<std::vector<Delivery>> deliveries = replay(trace, chip, {}, nullptr, &network);
    if (!areJoined(chip)) {
      ASSERT_FALSE(bool(deliveries)) << "seed " << seed;
      bool isCut = chip.router.routing == Routing::UpDown;
      EXPECT_THAT(toText(deliveries.takeError()),
                  HasSubstr(isCut
                                ? "the faults cut the mesh in two"
                                : "routing xy does not go round the faults; use routing up_down"));
      ++(isCut ? cut : notRouted);
      continue;
    }
    ASSERT_TRUE(bool(deliveries)) << "seed " << seed << ": " << toText(deliveries.takeError());
    ++routed;
    // The routers count the links that flits take; hops are those of the ways.
    uint64_t flitHops = 0, counted = 0;
    for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
      for (uint32_t port = 0; port < kLocal; ++port) {
        flitHops += network.linkFlits(tile, port);
        for (TileId dead : chip.router.deadTiles)
          if (tile == dead || neighbourOf(chip.mesh, tile, port) == dead) {
            EXPECT_EQ(network.linkFlits(tile, port), 0u);
          }
      }
    for (const Delivery &delivery : *deliveries)
      counted += uint64_t(delivery.hops) * delivery.flits;
    EXPECT_EQ(deliveries->size(), 300u);
    EXPECT_EQ(counted, flitHops) << "seed " << seed;
  }
  EXPECT_GT(routed, 15u);
  EXPECT_GT(cut, 5u);
  EXPECT_GT(notRouted, 3u);
}

TEST(DeadTiles, NeitherEndOfAPacketMayBeDead) {
  Chip chip = chipOf({3, 3}, {.routing = Routing::UpDown, .deadTiles = {4}});
  auto errorOf = [&](TileId from, TileId to) {
    PacketTrace trace;
    trace.packets = {{0, 0, {1}, 1}, {3, from, {to}, 1}};
    return toText(replay(trace, chip).takeError());
  };
  EXPECT_EQ(errorOf(1, 4),
            "chip.yaml: error: packet 1 goes to tile 4, which is dead (faults.tiles)");
  EXPECT_EQ(errorOf(4, 1),
            "chip.yaml: error: packet 1 begins at tile 4, which is dead (faults.tiles)");
}

/// A spike from tile 0 to tile 2 goes round the dead tile between them, by four links instead of
/// two, up towards tile 5, the first of the nearest to the middle.
TEST(DeadTiles, AMappedNetworkGoesRound) {
  Chip chip = ChipCase::pricedChip({3, 2});
  chip.router.routing = Routing::UpDown;
  chip.router.deadTiles = {1};
  ChipCase given(chip, 0, 2, 2, 1);
  given.clustering.units = {{0, 0, kNone}, {1, 1, kNone}};
  given.clustering.clusters[1].axons = {{0, 1, 0}};
  given.mapping.placements = {{0, 0}, {2, 0}};
  given.spike(0, 0, 0);
  given.complete();
  auto run = [&] {
    return simulateChip(given.clustering, given.mapping, given.trace, given.chip, {});
  };
  EXPECT_THAT(toText(run().takeError()),
              HasSubstr("goes from tile 0 to tile 1, which faults say is "
                        "dead"));
  given.mapping.routes[0].tiles = {0, 3, 4, 5, 2};
  given.mapping.spikeHops = 4;
  ChipStats stats = llvm::cantFail(run());
  EXPECT_EQ(stats.packets, 1u);
  EXPECT_EQ(stats.traffic.hopsMean, 4);
  EXPECT_EQ(stats.traffic.flitHops, 4u);
  EXPECT_EQ(stats.energy[0].events, 2u);
  EXPECT_EQ(stats.energy[1].events, 2u);
  given.chip.router.deadTiles = {0};
  EXPECT_THAT(toText(run().takeError()),
              HasSubstr("cluster 0 needs 0 rows and 1 columns, which do not all work on tile 0 "
                        "crossbar 0"));
}

} // namespace
