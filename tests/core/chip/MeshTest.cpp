#include "core/chip/Mesh.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <queue>

using namespace spindle;
using ::testing::ElementsAre;

namespace {

/// Distances from `from` by breadth-first search over tiles that differ by one in one coordinate.
std::vector<uint32_t> searchedHops(const Mesh &mesh, TileId from) {
  std::vector<uint32_t> hops(mesh.tiles(), UINT32_MAX);
  std::queue<TileId> open;
  hops[from] = 0;
  open.push(from);
  for (; !open.empty(); open.pop()) {
    int64_t x = open.front() % mesh.columns, y = open.front() / mesh.columns;
    for (auto [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      int64_t nx = x + dx, ny = y + dy;
      if (nx < 0 || ny < 0 || nx >= mesh.columns || ny >= mesh.rows)
        continue;
      auto next = static_cast<TileId>(ny * mesh.columns + nx);
      if (hops[next] != UINT32_MAX)
        continue;
      hops[next] = hops[open.front()] + 1;
      open.push(next);
    }
  }
  return hops;
}

TEST(Mesh, TilesAreNumberedRowByRow) {
  Mesh mesh{5, 3};
  EXPECT_EQ(mesh.tiles(), 15u);
  EXPECT_EQ(mesh.x(7), 2u);
  EXPECT_EQ(mesh.y(7), 1u);
  for (TileId tile = 0; tile < mesh.tiles(); ++tile)
    EXPECT_EQ(mesh.at(mesh.x(tile), mesh.y(tile)), tile);
}

TEST(Mesh, HopsAreShortestPaths) {
  for (Mesh mesh : {Mesh{1, 1}, Mesh{1, 6}, Mesh{6, 1}, Mesh{5, 3}})
    for (TileId from = 0; from < mesh.tiles(); ++from) {
      std::vector<uint32_t> searched = searchedHops(mesh, from);
      for (TileId to = 0; to < mesh.tiles(); ++to)
        EXPECT_EQ(mesh.hops(from, to), searched[to]) << from << " -> " << to;
    }
}

/// Counted along the way, where both tiles of a link are looked up chip by chip.
TEST(Mesh, LinksBetweenChipsAreCountedAlongTheWay) {
  for (auto [chips, chip] :
       {std::pair{Mesh{3, 2}, Mesh{2, 3}}, std::pair{Mesh{1, 4}, Mesh{3, 1}},
        std::pair{Mesh{2, 2}, Mesh{1, 1}}, std::pair{Mesh{1, 1}, Mesh{4, 3}}}) {
    Mesh mesh{chips.columns * chip.columns, chips.rows * chip.rows};
    mesh.chipColumns = chip.columns;
    mesh.chipRows = chip.rows;
    std::vector<uint32_t> chipOf(mesh.tiles(), UINT32_MAX);
    for (uint32_t c = 0; c < chips.tiles(); ++c)
      for (uint32_t t = 0; t < chip.tiles(); ++t)
        chipOf[mesh.at(chips.x(c) * chip.columns + chip.x(t), chips.y(c) * chip.rows + chip.y(t))] =
            c;
    for (TileId from = 0; from < mesh.tiles(); ++from) {
      ASSERT_EQ(mesh.chipOf(from), chipOf[from]);
      for (TileId to = 0; to < mesh.tiles(); ++to) {
        std::vector<TileId> way = mesh.routeXY(from, to);
        uint32_t crossings = 0;
        for (size_t i = 1; i < way.size(); ++i)
          crossings += chipOf[way[i - 1]] != chipOf[way[i]];
        ASSERT_EQ(mesh.crossings(from, to), crossings);
      }
    }
  }
  EXPECT_EQ((Mesh{4, 4}.crossings(0, 15)), 0u);
}

/// On a torus by search over neighbours modulo the sides; routes are as short, go along x first and
/// never change their direction.
TEST(Mesh, TorusesWrapAround) {
  for (Mesh torus : {Mesh{1, 1, true}, Mesh{2, 3, true}, Mesh{5, 4, true}, Mesh{6, 7, true}})
    for (TileId from = 0; from < torus.tiles(); ++from)
      for (TileId to = 0; to < torus.tiles(); ++to) {
        auto ring = [](uint32_t a, uint32_t b, uint32_t length) {
          uint32_t steps = 0;
          for (uint32_t at = a; at != b; at = (at + 1) % length)
            ++steps;
          return std::min(steps, length - steps);
        };
        uint32_t hops = ring(torus.x(from), torus.x(to), torus.columns) +
                        ring(torus.y(from), torus.y(to), torus.rows);
        ASSERT_EQ(torus.hops(from, to), hops);
        std::vector<TileId> route = torus.routeXY(from, to);
        ASSERT_EQ(route.size(), hops + 1);
        ASSERT_EQ(route.front(), from);
        ASSERT_EQ(route.back(), to);
        for (size_t i = 1; i < route.size(); ++i)
          ASSERT_EQ(torus.hops(route[i - 1], route[i]), 1u);
      }
}

/// Against the distances of a search from every tile of the host.
TEST(Mesh, TheHostEntersAtTheNearestOfItsTilesTheFirstOfEquals) {
  EXPECT_EQ((Mesh{4, 3}).hostTileFor(11), 0u);
  for (bool wraps : {false, true})
    for (std::vector<TileId> hosts :
         {std::vector<TileId>{7}, {14, 0}, {0, 14}, {2, 12, 10, 4}, {5, 6, 7, 8, 9}}) {
      Mesh mesh{5, 3, wraps, hosts};
      for (TileId target = 0; target < mesh.tiles(); ++target) {
        std::vector<uint32_t> away;
        for (TileId host : hosts)
          away.push_back(static_cast<uint32_t>(mesh.routeXY(host, target).size() - 1));
        auto first = std::min_element(away.begin(), away.end()) - away.begin();
        EXPECT_EQ(mesh.hostTileFor(target), hosts[static_cast<size_t>(first)]) << target;
      }
    }
}

TEST(Mesh, RoutesGoAlongXFirst) {
  Mesh mesh{4, 3};
  EXPECT_THAT(mesh.routeXY(0, 10), ElementsAre(0, 1, 2, 6, 10));
  EXPECT_THAT(mesh.routeXY(10, 0), ElementsAre(10, 9, 8, 4, 0));
  EXPECT_THAT(mesh.routeXY(5, 5), ElementsAre(5));
}

TEST(Mesh, RoutesAreShortestAndStepFromNeighbourToNeighbour) {
  Mesh mesh{5, 3};
  for (TileId from = 0; from < mesh.tiles(); ++from) {
    std::vector<uint32_t> searched = searchedHops(mesh, from);
    for (TileId to = 0; to < mesh.tiles(); ++to) {
      std::vector<TileId> route = mesh.routeXY(from, to);
      ASSERT_EQ(route.size(), searched[to] + 1);
      EXPECT_EQ(route.front(), from);
      EXPECT_EQ(route.back(), to);
      for (size_t i = 0; i < route.size(); ++i)
        EXPECT_EQ(searched[route[i]], i);
    }
  }
}

} // namespace
