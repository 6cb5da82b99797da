#include "core/chip/routing/ChannelDependences.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::IsEmpty;
using ::testing::Not;

namespace {

std::vector<LinkChannel> cycleOf(Mesh mesh, Routing routing, uint32_t channels) {
  std::vector<LinkChannel> cycle;
  for (AdaptiveOptions options : {AdaptiveOptions::First, AdaptiveOptions::All})
    if (cycle.empty())
      cycle = findDependenceCycle(
          mesh, {.virtualChannels = channels, .routing = routing, .adaptiveOptions = options});
  return cycle;
}

/// What the literature proves.
TEST(ChannelDependences, MeshesAreFreeOfCycles) {
  for (Mesh mesh : {Mesh{1, 1}, Mesh{2, 2}, Mesh{6, 5}, Mesh{5, 6}, Mesh{64, 40}})
    for (auto [routing, channels] : {std::pair{Routing::XY, 1u},
                                     {Routing::YX, 4u},
                                     {Routing::WestFirst, 1u},
                                     {Routing::OddEven, 1u},
                                     {Routing::MinAdaptive, 2u},
                                     {Routing::PlanarAdaptive, 4u}})
      EXPECT_THAT(cycleOf(mesh, routing, channels), IsEmpty())
          << kRoutingNames[static_cast<size_t>(routing)] << " on " << mesh.columns << 'x'
          << mesh.rows;
}

TEST(ChannelDependences, ATorusNeedsTwoHalves) {
  for (uint32_t side : {3, 4, 5, 7, 8, 33}) {
    Mesh torus{side, side, Topology::Torus};
    EXPECT_THAT(cycleOf(torus, Routing::XY, 2), IsEmpty()) << side;
    EXPECT_THAT(cycleOf(torus, Routing::YX, 3), IsEmpty()) << side;
    EXPECT_THAT(cycleOf(torus, Routing::MinAdaptive, 3), IsEmpty()) << side;
  }
  // With one channel the links of a ring of five, two hops each, wait for one another.
  EXPECT_EQ(cycleOf({5, 1, Topology::Torus}, Routing::XY, 1).size(), 5u);
}

/// Ways go up, and then down.
TEST(ChannelDependences, TreesAndBusesAreFreeOfCycles) {
  for (Topology topology : {Topology::Tree, Topology::SegmentedBus})
    for (Mesh mesh : {Mesh{1, 1}, Mesh{2, 2}, Mesh{7, 5}, Mesh{1, 9}, Mesh{40, 70}}) {
      mesh.topology = topology;
      EXPECT_THAT(cycleOf(mesh, Routing::XY, 1), IsEmpty()) << mesh.columns << 'x' << mesh.rows;
    }
}

/// However large the tree is: a dead tile is on no other's way.
TEST(ChannelDependences, DeadTilesOfLargeTreesAreLookedAtOnce) {
  Chip chip;
  chip.mesh = {256, 256, Topology::Tree};
  chip.router.deadTiles = {5, 70};
  EXPECT_FALSE(bool(checkDeadlockFree(chip)));
}

/// Every link of a cycle ends where the next one begins.
TEST(ChannelDependences, ACycleIsACircleOfLinks) {
  for (Routing routing : {Routing::WestFirst, Routing::OddEven}) {
    Mesh torus{5, 5, Topology::Torus};
    std::vector<LinkChannel> cycle = cycleOf(torus, routing, 1);
    ASSERT_THAT(cycle, Not(IsEmpty()));
    auto next = [&](const LinkChannel &link) {
      uint32_t x = torus.x(link.tile), y = torus.y(link.tile);
      constexpr int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
      return torus.at((x + 5 + static_cast<uint32_t>(dx[link.port])) % 5,
                      (y + 5 + static_cast<uint32_t>(dy[link.port])) % 5);
    };
    for (size_t i = 0; i < cycle.size(); ++i)
      EXPECT_EQ(next(cycle[i]), cycle[(i + 1) % cycle.size()].tile);
  }
}

TEST(ChannelDependences, TheErrorNamesTheCycle) {
  Chip chip;
  chip.path = "chip.yaml";
  chip.mesh = {5, 1, Topology::Torus};
  chip.router.routing = Routing::OddEven;
  EXPECT_FALSE(bool(checkDeadlockFree({})));
  EXPECT_EQ(toText(checkDeadlockFree(chip)),
            "chip.yaml: error: packets may block each other for ever: with routing odd_even on "
            "this torus the links 0 east, 1 east, 2 east, 3 east, 4 east wait for each other in a "
            "circle (tile and direction); use routing xy");
}

} // namespace
