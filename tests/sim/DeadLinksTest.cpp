// Meshes of which links are missing: ways round them, and what is refused.
#include "core/chip/routing/ChannelDependences.h"
#include "core/support/CounterRandom.h"
#include "sim/model/router/MeshNetwork.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <queue>
#include <set>

using namespace spindle;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

bool isDead(const std::vector<DeadLink> &links, TileId one, TileId other) {
  return std::any_of(links.begin(), links.end(), [&](const DeadLink &link) {
    return std::minmax(link.one, link.other) == std::minmax(one, other);
  });
}

/// Links of random tiles until so many have been drawn.
std::vector<DeadLink> drawLinks(const Mesh &mesh, uint32_t count, CounterRandom &draw) {
  std::vector<DeadLink> links;
  for (uint32_t left = count; left > 0; --left) {
    TileId one = draw.below(mesh.tiles()), other = neighbourOf(mesh, one, draw.below(kLocal));
    if (one != other)
      links.push_back({one, other});
  }
  return links;
}

/// Links to every tile from one of them, by all links that are left.
std::vector<uint32_t> distancesFrom(const Mesh &mesh, const std::vector<DeadLink> &links,
                                    TileId first) {
  std::vector<uint32_t> far(mesh.tiles(), UINT32_MAX);
  std::queue<TileId> open({first});
  for (far[first] = 0; !open.empty(); open.pop())
    for (uint32_t port = 0; port < kLocal; ++port) {
      TileId next = neighbourOf(mesh, open.front(), port);
      if (far[next] != UINT32_MAX || isDead(links, open.front(), next))
        continue;
      far[next] = far[open.front()] + 1;
      open.push(next);
    }
  return far;
}

/// The shortest way that goes up, then down, counted link by link over all of them.
uint32_t legalHops(const Mesh &mesh, const std::vector<DeadLink> &links, TileId from, TileId to) {
  std::vector<uint32_t> levels =
      distancesFrom(mesh, links, mesh.at(mesh.columns / 2, mesh.rows / 2));
  auto isAbove = [&](TileId a, TileId b) {
    return std::pair(levels[a], a) < std::pair(levels[b], b);
  };
  std::set<std::pair<TileId, bool>> reached = {{from, false}};
  for (uint32_t hops = 0; hops <= 2 * mesh.tiles(); ++hops) {
    if (reached.count({to, false}) || reached.count({to, true}))
      return hops;
    std::set<std::pair<TileId, bool>> next = reached;
    for (auto [tile, isDown] : reached)
      for (uint32_t port = 0; port < kLocal; ++port) {
        TileId behind = neighbourOf(mesh, tile, port);
        if (behind == tile || isDead(links, tile, behind))
          continue;
        if (!isAbove(behind, tile))
          next.insert({behind, true});
        else if (!isDown)
          next.insert({behind, false});
      }
    reached = std::move(next);
  }
  return UINT32_MAX;
}

std::string refusal(const Mesh &mesh, const Router &router) {
  Chip chip;
  chip.path = "chip.yaml";
  chip.mesh = mesh;
  chip.router = router;
  llvm::Error error = checkDeadlockFree(chip);
  return error ? toText(std::move(error)) : "";
}

TEST(DeadLinks, UpDownTakesAShortestLegalWay) {
  uint32_t joined = 0, cut = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    CounterRandom draw(seed);
    Mesh mesh{1 + draw.below(6), 1 + draw.below(6),
              draw.below(3) == 0 ? Topology::Torus : Topology::Mesh};
    Router router{.virtualChannels = 1 + draw.below(2), .routing = Routing::UpDown};
    router.deadLinks = drawLinks(mesh, draw.below(mesh.tiles()), draw);
    std::vector<uint32_t> far = distancesFrom(mesh, router.deadLinks, 0);
    bool isCut = std::count(far.begin(), far.end(), UINT32_MAX) > 0;
    std::string error = refusal(mesh, router);
    if (isCut) {
      ++cut;
      EXPECT_THAT(error, HasSubstr("the faults cut the mesh in two"));
      continue;
    }
    ++joined;
    ASSERT_EQ(error, "") << "seed " << seed;
    RoutingFunction route(mesh, router);
    for (TileId from = 0; from < mesh.tiles(); ++from)
      for (TileId to = 0; to < mesh.tiles(); ++to) {
        uint32_t hops = 0, input = kLocal;
        for (TileId tile = from; tile != to; ++hops) {
          RouteSet set = route(tile, to, input, 0);
          ASSERT_EQ(set.count, 1);
          TileId next = neighbourOf(mesh, tile, set.options[0].port);
          ASSERT_FALSE(isDead(router.deadLinks, tile, next));
          input = opposite(set.options[0].port);
          tile = next;
          ASSERT_LE(hops, 2 * mesh.tiles());
        }
        ASSERT_EQ(hops, legalHops(mesh, router.deadLinks, from, to)) << "seed " << seed;
      }
  }
  EXPECT_GT(joined, 15u);
  EXPECT_GT(cut, 3u);
}

TEST(DeadLinks, PacketsArriveAndDeadLinksCarryNothing) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CounterRandom draw(seed + 500);
    Mesh mesh{2 + draw.below(6), 2 + draw.below(6),
              draw.below(2) == 0 ? Topology::Torus : Topology::Mesh};
    Router router{.bufferFlits = 1 + draw.below(4),
                  .virtualChannels = 1 + draw.below(3),
                  .routing = Routing::UpDown};
    do
      router.deadLinks = drawLinks(mesh, draw.below(8), draw);
    while (!refusal(mesh, router).empty());
    MeshNetwork network(mesh, router);
    uint64_t cycle = 0;
    for (uint32_t left = 600; left > 0; --left, cycle += draw.below(8) == 0)
      network.send(draw.below(mesh.tiles()), draw.below(mesh.tiles()), 1 + draw.below(6), cycle);
    network.drain();
    EXPECT_EQ(network.delivered(), 600u) << "seed " << seed << ": " << network.stuckText();
    for (TileId tile = 0; tile < mesh.tiles(); ++tile)
      for (uint32_t port = 0; port < kLocal; ++port)
        if (isDead(router.deadLinks, tile, network.neighbour(tile, port))) {
          EXPECT_EQ(network.linkFlits(tile, port), 0u);
        }
  }
}

/// Other routings are taken where every packet still has a way, found by walking all of them.
TEST(DeadLinks, OtherRoutingsAreRefusedWhereAPacketHasNoWay) {
  EXPECT_EQ(refusal({3, 2}, {.deadLinks = {{1, 2}}}),
            "chip.yaml: error: a packet for tile [0, 0] has no way on from tile [2, 0]: routing xy "
            "does not go round the faults; use routing up_down");
  EXPECT_THAT(
      refusal({20, 1}, {.deadLinks = {{18, 19}}}), // not shortened to 16
      HasSubstr("a packet for tile [0, 0] has no way on from tile [19, 0]: the faults cut the "
                "mesh in two")); // which no routing mends
  uint32_t taken = 0, refused = 0;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    CounterRandom draw(seed + 900);
    Mesh mesh{2 + draw.below(4), 2 + draw.below(4)};
    Router router{.virtualChannels = 3, .adaptiveOptions = AdaptiveOptions::All};
    router.routing = static_cast<Routing>(draw.below(6));
    router.deadLinks = drawLinks(mesh, 1, draw);
    if (router.deadLinks.empty())
      continue;
    RoutingFunction route(mesh, router);
    bool hasWays = true;
    for (TileId from = 0; from < mesh.tiles(); ++from)
      for (TileId to = 0; to < mesh.tiles(); ++to) {
        std::set<std::tuple<TileId, uint32_t, uint32_t>> seen = {{from, kLocal, 0}};
        std::vector<std::tuple<TileId, uint32_t, uint32_t>> open(seen.begin(), seen.end());
        while (!open.empty()) {
          auto [tile, input, channel] = open.back();
          open.pop_back();
          if (tile == to)
            continue;
          RouteSet set = route(tile, to, input, channel);
          hasWays &= set.count > 0;
          for (const RouteOption &option : set)
            for (uint32_t next = option.first; next <= option.last; ++next) {
              std::tuple state{neighbourOf(mesh, tile, option.port), opposite(option.port), next};
              if (seen.insert(state).second)
                open.push_back(state);
            }
        }
      }
    EXPECT_EQ(refusal(mesh, router).empty(), hasWays)
        << "seed " << seed << " " << kRoutingNames[static_cast<size_t>(router.routing)];
    ++(hasWays ? taken : refused);
  }
  EXPECT_GT(refused, 20u);
}

TEST(DeadLinks, UpDownIsFreeOfCyclesOnWholeMeshes) {
  for (Mesh mesh :
       {Mesh{1, 1}, Mesh{6, 5}, Mesh{7, 7, Topology::Torus}, Mesh{2, 9, Topology::Torus}})
    EXPECT_THAT(findDependenceCycle(mesh, {.routing = Routing::UpDown}), IsEmpty());
}

} // namespace
