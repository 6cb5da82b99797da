#include "core/chip/routing/Ways.h"

#include "core/chip/routing/ChannelDependences.h"
#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <algorithm>

using namespace spindle;

namespace {

Chip chipOf(Mesh mesh, Router router) {
  Chip chip;
  chip.mesh = mesh;
  chip.router = std::move(router);
  return chip;
}

TEST(Ways, DimensionOrderIsThatOfTheMesh) {
  for (Mesh mesh : {Mesh{5, 4}, Mesh{1, 6}, Mesh{6, 5, Topology::Torus}}) {
    Ways xy(chipOf(mesh, {.virtualChannels = 2}));
    Ways yx(chipOf(mesh, {.virtualChannels = 2, .routing = Routing::YX}));
    for (TileId from = 0; from < mesh.tiles(); ++from)
      for (TileId to = 0; to < mesh.tiles(); ++to) {
        EXPECT_EQ(xy.route(from, to), mesh.route(from, to));
        EXPECT_EQ(xy.hops(from, to) + 1, xy.route(from, to).size());
        TileId corner = mesh.at(mesh.x(from), mesh.y(to));
        std::vector<TileId> route = mesh.route(from, corner), along = mesh.route(corner, to);
        route.insert(route.end(), along.begin() + 1, along.end());
        EXPECT_EQ(yx.route(from, to), route);
      }
  }
}

/// Links between neighbours, none of them dead, as many as `hops` says; shortest but for up_down.
TEST(Ways, GoRoundWhatIsDead) {
  uint32_t detours = 0, whole = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom draw(seed);
    Mesh mesh{3 + draw.below(4), 3 + draw.below(4),
              draw.below(3) == 0 ? Topology::Torus : Topology::Mesh};
    Router router{.virtualChannels = 3, .routing = Routing::UpDown};
    if (draw.below(2) == 0) {
      router.routing = Routing::MinAdaptive;
      router.adaptiveOptions = AdaptiveOptions::All;
    } else {
      for (TileId tile = 0; tile < mesh.tiles(); ++tile)
        if (draw.below(9) == 0)
          router.deadTiles.push_back(tile);
      TileId one = draw.below(mesh.tiles()), other = neighbourOf(mesh, one, draw.below(kLocal));
      if (one != other)
        router.deadLinks.push_back({one, other});
    }
    Chip chip = chipOf(mesh, router);
    if (llvm::Error error = checkDeadlockFree(chip)) {
      llvm::consumeError(std::move(error));
      continue;
    }
    ++whole;
    auto isDead = [&](TileId tile) {
      return std::count(router.deadTiles.begin(), router.deadTiles.end(), tile) > 0;
    };
    Ways ways(chip);
    for (TileId from = 0; from < mesh.tiles(); ++from)
      for (TileId to = 0; to < mesh.tiles(); ++to) {
        if (isDead(from) || isDead(to))
          continue;
        std::vector<TileId> route = ways.route(from, to);
        ASSERT_EQ(route.front(), from);
        ASSERT_EQ(route.back(), to);
        ASSERT_EQ(ways.hops(from, to) + 1, route.size());
        ASSERT_GE(ways.hops(from, to), mesh.hops(from, to));
        detours += ways.hops(from, to) > mesh.hops(from, to);
        if (router.routing == Routing::MinAdaptive) {
          ASSERT_EQ(ways.hops(from, to), mesh.hops(from, to));
        }
        for (size_t i = 1; i < route.size(); ++i) {
          ASSERT_EQ(mesh.hops(route[i - 1], route[i]), 1u);
          ASSERT_FALSE(isDead(route[i]));
          for (const DeadLink &link : router.deadLinks)
            ASSERT_NE(std::minmax(route[i - 1], route[i]), std::minmax(link.one, link.other));
        }
      }
  }
  EXPECT_GT(whole, 30u);
  EXPECT_GT(detours, 100u);
}

} // namespace
