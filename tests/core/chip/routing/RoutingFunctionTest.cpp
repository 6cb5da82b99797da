// Every routing by its rules: shortest ways, forbidden turns, the channels of each class.
#include "core/chip/routing/RoutingFunction.h"

#include "gmock/gmock.h"

#include <set>

using namespace spindle;
using ::testing::ElementsAre;

namespace {

struct Way {
  Routing routing;
  uint32_t channels;
  Mesh mesh;
  AdaptiveOptions options = AdaptiveOptions::All;
};

void PrintTo(const Way &way, std::ostream *stream) {
  *stream << kRoutingNames[static_cast<size_t>(way.routing)] << ' ' << way.channels << " on "
          << way.mesh.columns << 'x' << way.mesh.rows << ' ' << way.mesh.topologyName();
}

/// A hop of a packet: from the router where it came in by (input, channel), out by an option.
struct Hop {
  TileId tile;
  uint32_t input, channel, output, next; // next: channel behind the output
};

/// Calls visit(hop, target) for every hop that a packet can make from any source to any target.
template <typename Visit> void walk(const Way &way, Visit visit) {
  RoutingFunction route(way.mesh, way.routing, way.channels, way.options);
  for (TileId source = 0; source < way.mesh.tiles(); ++source)
    for (TileId target = 0; target < way.mesh.tiles(); ++target) {
      std::set<std::tuple<TileId, uint32_t, uint32_t>> seen;
      std::vector<std::tuple<TileId, uint32_t, uint32_t>> open = {{source, kLocal, 0}};
      while (!open.empty()) {
        auto [tile, input, channel] = open.back();
        open.pop_back();
        for (const RouteOption &option : route(tile, target, input, channel))
          for (uint32_t next = option.first; next <= option.last; ++next) {
            visit(Hop{tile, input, channel, option.port, next}, target);
            if (leadsToTile(way.mesh, tile, option.port))
              continue;
            std::tuple after{neighbourOf(way.mesh, tile, option.port),
                             inputBehind(way.mesh, tile, option.port), next};
            if (seen.insert(after).second)
              open.push_back(after);
          }
      }
    }
}

class WaysOfRoutings : public ::testing::TestWithParam<Way> {};

/// Each hop brings a packet one link nearer, and it leaves the network at its target alone: so all
/// ways are shortest ones and end.
TEST_P(WaysOfRoutings, AreShortest) {
  const Mesh &mesh = GetParam().mesh;
  walk(GetParam(), [&](const Hop &hop, TileId target) {
    ASSERT_LT(hop.next, GetParam().channels);
    bool isLast = leadsToTile(mesh, hop.tile, hop.output);
    ASSERT_EQ(isLast, hop.tile == target);
    if (!isLast) {
      ASSERT_EQ(mesh.hops(neighbourOf(mesh, hop.tile, hop.output), target) + 1,
                mesh.hops(hop.tile, target));
    }
  });
}

/// At the target every channel of the tile's port may be used.
TEST_P(WaysOfRoutings, EndInAnyChannelOfTheTile) {
  std::set<uint32_t> used;
  walk(GetParam(), [&](const Hop &hop, TileId) {
    if (leadsToTile(GetParam().mesh, hop.tile, hop.output))
      used.insert(hop.next);
  });
  EXPECT_EQ(used.size(), GetParam().channels);
}

INSTANTIATE_TEST_SUITE_P(
    All, WaysOfRoutings,
    ::testing::Values(
        Way{Routing::XY, 1, {5, 4}}, Way{Routing::XY, 2, {5, 4, Topology::Torus}},
        Way{Routing::XY, 5, {4, 4, Topology::Torus}}, Way{Routing::YX, 3, {4, 5}},
        Way{Routing::YX, 2, {3, 6, Topology::Torus}}, Way{Routing::WestFirst, 1, {5, 4}},
        Way{Routing::WestFirst, 2, {4, 4}}, Way{Routing::OddEven, 1, {6, 4}},
        Way{Routing::OddEven, 2, {5, 5}}, Way{Routing::MinAdaptive, 2, {4, 5}},
        Way{Routing::MinAdaptive, 4, {4, 4}}, Way{Routing::MinAdaptive, 4, {5, 4, Topology::Torus}},
        Way{Routing::PlanarAdaptive, 3, {5, 4}}, Way{Routing::PlanarAdaptive, 8, {4, 4}},
        Way{Routing::MinAdaptive, 2, {4, 5}, AdaptiveOptions::First},
        Way{Routing::MinAdaptive, 3, {4, 5, Topology::Torus}, AdaptiveOptions::First},
        Way{Routing::PlanarAdaptive, 3, {5, 4}, AdaptiveOptions::First},
        Way{Routing::XY, 1, {4, 4, Topology::Tree}}, Way{Routing::XY, 3, {5, 3, Topology::Tree}},
        Way{Routing::XY, 2, {1, 6, Topology::Tree}}, Way{Routing::XY, 1, {1, 1, Topology::Tree}},
        Way{Routing::XY, 1, {5, 3, Topology::SegmentedBus}}));

std::vector<RouteOption> optionsOf(const RouteSet &set) { return {set.begin(), set.end()}; }

bool isVertical(uint32_t port) { return port == kNorth || port == kSouth; }

TEST(RoutingFunction, DimensionOrderTurnsOnce) {
  walk({Routing::XY, 1, {5, 4}}, [](const Hop &hop, TileId) {
    EXPECT_FALSE(isVertical(hop.input) && (hop.output == kEast || hop.output == kWest));
  });
  walk({Routing::YX, 1, {5, 4}}, [](const Hop &hop, TileId) {
    EXPECT_FALSE((hop.input == kEast || hop.input == kWest) && isVertical(hop.output));
  });
}

TEST(RoutingFunction, WestFirstNeverTurnsWest) {
  bool isAdaptive = false;
  walk({Routing::WestFirst, 1, {5, 4}}, [&](const Hop &hop, TileId) {
    EXPECT_FALSE(isVertical(hop.input) && hop.output == kWest);
    isAdaptive |= isVertical(hop.input) && hop.output == kEast;
  });
  EXPECT_TRUE(isAdaptive);
}

/// Chiu's two rules: no turn from east to north or south in an even column, none from there to west
/// in an odd one. A packet that came in from the west travels east.
TEST(RoutingFunction, OddEvenKeepsItsRules) {
  Mesh mesh{6, 5};
  size_t turns = 0;
  walk({Routing::OddEven, 1, mesh}, [&](const Hop &hop, TileId) {
    bool isEven = mesh.x(hop.tile) % 2 == 0;
    EXPECT_FALSE(isEven && hop.input == kWest && isVertical(hop.output));
    EXPECT_FALSE(!isEven && isVertical(hop.input) && hop.output == kWest);
    turns += hop.input == kWest && isVertical(hop.output);
  });
  EXPECT_GT(turns, 0u);
}

/// Channel 0 is for XY order and is never left; what is above goes any shortest way.
TEST(RoutingFunction, MinAdaptiveEscapesForGood) {
  walk({Routing::MinAdaptive, 3, {5, 4}}, [](const Hop &hop, TileId) {
    if (hop.output == kLocal)
      return;
    if (hop.input != kLocal && hop.channel == 0) {
      EXPECT_EQ(hop.next, 0u);
      EXPECT_FALSE(isVertical(hop.input) && !isVertical(hop.output));
    }
  });
  RoutingFunction route({5, 4}, Routing::MinAdaptive, 3, AdaptiveOptions::All);
  EXPECT_THAT(optionsOf(route(0, 6, kLocal, 0)),
              ElementsAre(RouteOption{kEast, 0, 0, 0}, RouteOption{kEast, 1, 2, 1},
                          RouteOption{kSouth, 1, 2, 1}));
}

TEST(RoutingFunction, PlanarAdaptiveHasAThirdForEachDirection) {
  walk({Routing::PlanarAdaptive, 7, {5, 4}}, [](const Hop &hop, TileId) {
    if (hop.output == kEast || hop.output == kWest) {
      EXPECT_GE(hop.next, 4u);
    }
  });
  RoutingFunction route({5, 4}, Routing::PlanarAdaptive, 7, AdaptiveOptions::All);
  EXPECT_THAT(optionsOf(route(0, 6, kLocal, 0)),
              ElementsAre(RouteOption{kEast, 4, 6, 0}, RouteOption{kSouth, 0, 1, 0}));
  EXPECT_THAT(optionsOf(route(6, 0, kLocal, 0)),
              ElementsAre(RouteOption{kWest, 4, 6, 0}, RouteOption{kNorth, 2, 3, 0}));
  EXPECT_THAT(optionsOf(route(1, 6, kLocal, 0)), ElementsAre(RouteOption{kSouth, 4, 6, 0}));
}

/// What BookSim keeps: of the options with one priority the first.
TEST(RoutingFunction, TheFirstOptionsGoAlongX) {
  RoutingFunction minimal({5, 4}, Routing::MinAdaptive, 3),
      planar({5, 4}, Routing::PlanarAdaptive, 7);
  EXPECT_THAT(optionsOf(minimal(0, 6, kLocal, 0)),
              ElementsAre(RouteOption{kEast, 0, 0, 0}, RouteOption{kEast, 1, 2, 1}));
  EXPECT_THAT(optionsOf(minimal(1, 6, kLocal, 0)),
              ElementsAre(RouteOption{kSouth, 0, 0, 0}, RouteOption{kSouth, 1, 2, 1}));
  EXPECT_THAT(optionsOf(planar(0, 6, kLocal, 0)), ElementsAre(RouteOption{kEast, 4, 6, 0}));
}

/// A packet keeps its half of the channels on a ring: across the end eastwards it has the upper
/// one.
TEST(RoutingFunction, ATorusHasTwoHalves) {
  Way way{Routing::XY, 4, {5, 5, Topology::Torus}};
  walk(way, [](const Hop &hop, TileId) {
    if (hop.output != kLocal && dimensionOf(hop.input) == dimensionOf(hop.output)) {
      EXPECT_EQ(hop.channel < 2, hop.next < 2);
    }
  });
  RoutingFunction route(way.mesh, way.routing, way.channels);
  EXPECT_THAT(optionsOf(route(3, 0, kLocal, 0)), ElementsAre(RouteOption{kEast, 2, 3, 0}));
  EXPECT_THAT(optionsOf(route(0, 2, kLocal, 0)), ElementsAre(RouteOption{kEast, 0, 1, 0}));
  EXPECT_THAT(optionsOf(route(0, 4, kLocal, 0)), ElementsAre(RouteOption{kWest, 0, 1, 0}));
}

} // namespace
