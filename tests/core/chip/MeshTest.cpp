#include "core/chip/Mesh.h"
#include "core/chip/routing/Ports.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

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
        std::vector<TileId> way = mesh.route(from, to);
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
  for (Mesh torus : {Mesh{1, 1, Topology::Torus}, Mesh{2, 3, Topology::Torus},
                     Mesh{5, 4, Topology::Torus}, Mesh{6, 7, Topology::Torus}})
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
        std::vector<TileId> route = torus.route(from, to);
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
  for (Topology topology :
       {Topology::Mesh, Topology::Torus, Topology::Tree, Topology::SegmentedBus})
    for (std::vector<TileId> hosts :
         {std::vector<TileId>{7}, {14, 0}, {0, 14}, {2, 12, 10, 4}, {5, 6, 7, 8, 9}}) {
      Mesh mesh{5, 3, topology, hosts};
      for (TileId target = 0; target < mesh.tiles(); ++target) {
        std::vector<uint32_t> away;
        for (TileId host : hosts)
          away.push_back(static_cast<uint32_t>(mesh.route(host, target).size() - 1));
        auto first = std::min_element(away.begin(), away.end()) - away.begin();
        EXPECT_EQ(mesh.hostTileFor(target), hosts[static_cast<size_t>(first)]) << target;
      }
    }
}

TEST(Mesh, RoutesGoAlongXFirst) {
  Mesh mesh{4, 3};
  EXPECT_THAT(mesh.route(0, 10), ElementsAre(0, 1, 2, 6, 10));
  EXPECT_THAT(mesh.route(10, 0), ElementsAre(10, 9, 8, 4, 0));
  EXPECT_THAT(mesh.route(5, 5), ElementsAre(5));
}

TEST(Mesh, RoutesAreShortestAndStepFromNeighbourToNeighbour) {
  Mesh mesh{5, 3};
  for (TileId from = 0; from < mesh.tiles(); ++from) {
    std::vector<uint32_t> searched = searchedHops(mesh, from);
    for (TileId to = 0; to < mesh.tiles(); ++to) {
      std::vector<TileId> route = mesh.route(from, to);
      ASSERT_EQ(route.size(), searched[to] + 1);
      EXPECT_EQ(route.front(), from);
      EXPECT_EQ(route.back(), to);
      for (size_t i = 0; i < route.size(); ++i)
        EXPECT_EQ(searched[route[i]], i);
    }
  }
}

/// The routers of a tree by definition: above up to four whose columns and rows differ in the last
/// bit there is one, and so on up to a single one.
TEST(Mesh, ARouterOfATreeIsAboveFour) {
  for (Mesh mesh :
       {Mesh{1, 1}, Mesh{2, 2}, Mesh{4, 4}, Mesh{5, 3}, Mesh{1, 7}, Mesh{9, 2}, Mesh{33, 6}}) {
    mesh.topology = Topology::Tree;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, TileId> numbers; // (level, y, x)
    uint32_t columns = mesh.columns, rows = mesh.rows, level = 0;
    for (;; ++level, columns = (columns + 1) / 2, rows = (rows + 1) / 2) {
      for (uint32_t y = 0; y < rows; ++y)
        for (uint32_t x = 0; x < columns; ++x)
          numbers.emplace(std::tuple(level, y, x), static_cast<TileId>(numbers.size()));
      if (columns * rows == 1)
        break;
    }
    ASSERT_EQ(mesh.routers(), numbers.size());
    std::set<TileId> middles;
    for (auto [place, router] : numbers) {
      auto [l, y, x] = place;
      TileId above = l == level ? router : numbers.at({l + 1, y / 2, x / 2});
      EXPECT_EQ(neighbourOf(mesh, router, upwards(mesh, router)), above);
      uint32_t below = mesh.tileBelow(router);
      EXPECT_EQ(mesh.x(below) >> l, x);
      EXPECT_EQ(mesh.y(below) >> l, y);
      if (l > 0 && mesh.columns > 1 && mesh.rows > 1 && (x + 1) << l <= mesh.columns &&
          (y + 1) << l <= mesh.rows) {
        EXPECT_TRUE(middles.insert(below).second); // of whole blocks
      }
      std::set<TileId> lower, expected;
      for (uint32_t port = 0; port < kPorts; ++port) {
        TileId next = neighbourOf(mesh, router, port);
        if (next == router)
          continue;
        EXPECT_EQ(mesh.hops(router, next), 1u);
        EXPECT_EQ(neighbourOf(mesh, next, inputBehind(mesh, router, port)), router);
        if (port != upwards(mesh, router))
          lower.insert(next);
      }
      for (auto [other, number] : numbers)
        if (auto [ol, oy, ox] = other; ol + 1 == l && oy / 2 == y && ox / 2 == x)
          expected.insert(number);
      EXPECT_EQ(lower, expected);
    }
  }
}

/// Distances by search over the ports, whatever the topology; routes are as short.
TEST(Mesh, HopsAreThoseOfTheLinks) {
  for (Topology topology :
       {Topology::Mesh, Topology::Torus, Topology::Tree, Topology::SegmentedBus})
    for (Mesh mesh : {Mesh{1, 1}, Mesh{2, 2}, Mesh{5, 3}, Mesh{1, 7}, Mesh{6, 1}, Mesh{7, 6}}) {
      mesh.topology = topology;
      for (TileId from = 0; from < mesh.tiles(); ++from) {
        std::map<TileId, uint32_t> hops = {{from, 0}};
        std::queue<TileId> open({from});
        for (; !open.empty(); open.pop())
          for (uint32_t port = 0; port < kPorts; ++port)
            if (TileId next = neighbourOf(mesh, open.front(), port);
                hops.try_emplace(next, hops[open.front()] + 1).second)
              open.push(next);
        ASSERT_EQ(hops.size(), mesh.routers());
        for (TileId to = 0; to < mesh.tiles(); ++to) {
          ASSERT_EQ(mesh.hops(from, to), hops[to]) << mesh.topologyName() << from << " " << to;
          std::vector<TileId> route = mesh.route(from, to);
          ASSERT_EQ(route.size(), hops[to] + 1);
          ASSERT_EQ(route.front(), from);
          ASSERT_EQ(route.back(), to);
          for (size_t i = 1; i < route.size(); ++i) {
            bool isLinked = false;
            for (uint32_t port = 0; port < kPorts; ++port)
              isLinked |= neighbourOf(mesh, route[i - 1], port) == route[i];
            ASSERT_TRUE(isLinked);
          }
        }
      }
    }
}

TEST(Mesh, TheBusIsASnake) {
  Mesh mesh{3, 3, Topology::SegmentedBus};
  EXPECT_THAT(mesh.route(0, 8), ElementsAre(0, 1, 2, 5, 4, 3, 6, 7, 8));
  EXPECT_EQ(mesh.hopsX(0, 8), 6u);
  EXPECT_EQ(mesh.hopsY(0, 8), 2u);
  for (TileId tile = 0; tile < mesh.tiles(); ++tile)
    EXPECT_EQ(mesh.bus().tileAt(mesh.bus().placeOf(tile)), tile);
}

} // namespace
