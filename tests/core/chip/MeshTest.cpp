#include "core/chip/Mesh.h"

#include "gmock/gmock.h"

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
