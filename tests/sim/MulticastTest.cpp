// One packet to several tiles: its tree, its times in the network, the tables of the routers.
#include "sim/model/MulticastPlan.h"
#include "sim/model/router/MeshNetwork.h"

#include "core/support/CounterRandom.h"
#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

#include <map>
#include <set>

using namespace spindle;
using ::testing::ElementsAre;

namespace {

using Links = std::set<std::pair<TileId, TileId>>;

std::vector<TileId> drawTargets(CounterRandom &random, uint32_t tiles, TileId source) {
  std::set<TileId> targets;
  for (uint32_t n = 1 + random.below(8); n > 0; --n)
    if (TileId target = random.below(tiles); target != source)
      targets.insert(target);
  if (targets.empty())
    targets.insert(source == 0 ? 1 : 0);
  return {targets.begin(), targets.end()};
}

Links linksOf(const Mesh &mesh, TileId source, const std::vector<TileId> &targets) {
  Links links;
  for (TileId target : targets) {
    std::vector<TileId> route = mesh.route(source, target);
    for (size_t i = 1; i < route.size(); ++i)
      links.insert({route[i - 1], route[i]});
  }
  return links;
}

/// Every link of the ways to the targets once, and every target once.
TEST(MulticastTree, IsTheUnionOfItsWays) {
  constexpr Topology kinds[] = {Topology::Mesh, Topology::Tree, Topology::SegmentedBus};
  CounterRandom random(1);
  for (int i = 0; i < 300; ++i) {
    Mesh mesh{6, 5, kinds[i % 3]};
    TileId source = random.below(mesh.tiles());
    std::vector<TileId> targets = drawTargets(random, mesh.tiles(), source);
    MulticastTree tree = multicastTree(mesh, Routing::XY, source, targets);
    Links links;
    std::vector<TileId> reached(targets.size());
    for (const TreeNode &node : tree.nodes) {
      for (uint32_t port = 0; port < kPorts; ++port)
        if (node.outputs >> port & 1 && !leadsToTile(mesh, node.tile, port)) {
          ASSERT_TRUE(links.insert({node.tile, tree.nodes[node.next[port]].tile}).second);
        }
      if (node.outputs >> kLocal & 1 && node.tile < mesh.tiles())
        reached[node.target] = node.tile;
    }
    EXPECT_EQ(links, linksOf(mesh, source, targets));
    EXPECT_EQ(tree.nodes.size(), links.size() + 1);
    EXPECT_EQ(reached, targets);
  }
}

TEST(MulticastTree, PathsAreColumnsBothWays) {
  // 4x4 from tile 5 (1, 1): column 1 north and south, column 3 north, its row with the south.
  EXPECT_THAT(multicastPaths({4, 4}, Routing::XY, 5, {1, 3, 7, 9, 13, 15}),
              ElementsAre(ElementsAre(9, 13), ElementsAre(1), ElementsAre(7, 15), ElementsAre(3)));
  EXPECT_THAT(multicastPaths({4, 4}, Routing::YX, 5, {4, 6, 7, 12, 13}),
              ElementsAre(ElementsAre(6, 7), ElementsAre(4), ElementsAre(13), ElementsAre(12)));
}

struct Load {
  Mesh mesh;
  Router parameters;
  uint32_t packets, mostFlits;
  uint64_t spanCycles;
};

class MulticastTraffic : public ::testing::TestWithParam<Load> {};

/// From light to far beyond saturation, packets to one tile among them: all targets receive
/// everything once, not too early, and each link of a tree carries it once.
TEST_P(MulticastTraffic, EveryTargetReceivesEveryPacketOnce) {
  const Load &load = GetParam();
  MeshNetwork network(load.mesh, load.parameters);
  CounterRandom random(2);
  std::vector<uint64_t> madeCycles(load.packets);
  for (uint64_t &cycle : madeCycles)
    cycle = random.below(static_cast<uint32_t>(load.spanCycles));
  std::sort(madeCycles.begin(), madeCycles.end());
  std::vector<std::vector<TileId>> targetsOf;
  std::map<std::pair<TileId, TileId>, uint64_t> expected, counted;
  for (uint64_t cycle : madeCycles) {
    TileId source = random.below(load.mesh.tiles());
    uint32_t flits = 1 + random.below(load.mostFlits);
    std::vector<TileId> targets = drawTargets(random, load.mesh.tiles(), source);
    if (random.below(4) == 0) {
      targets.resize(1);
      network.send(source, targets[0], flits, cycle);
    } else {
      uint32_t tree = network.addTree(multicastTree(load.mesh, Routing::XY, source, targets));
      network.sendTree(tree, flits, cycle);
    }
    for (const auto &link : linksOf(load.mesh, source, targets))
      expected[link] += flits;
    targetsOf.push_back(targets);
  }
  network.drain();
  ASSERT_EQ(network.delivered(), load.packets);
  for (PacketId id = 0; id < load.packets; ++id) {
    const Packet &packet = network.packets()[id];
    uint64_t last = 0;
    for (uint32_t i = 0; i < targetsOf[id].size() && packet.tree != Packet::kNoTree; ++i) {
      const Arrival &arrival = network.arrivalAt(id, i);
      uint32_t hops = load.mesh.hops(packet.source, targetsOf[id][i]);
      ASSERT_GE(arrival.headCycle, packet.madeCycle + headLatencyCycles(load.parameters, hops));
      ASSERT_GE(arrival.tailCycle, arrival.headCycle + packet.flits - 1);
      last = std::max(last, arrival.tailCycle);
    }
    if (packet.tree != Packet::kNoTree) {
      ASSERT_EQ(packet.tailCycle, last);
    }
  }
  for (TileId tile = 0; tile < load.mesh.routers(); ++tile)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (uint64_t flits = network.linkFlits(tile, port);
          flits > 0 && !leadsToTile(load.mesh, tile, port))
        counted[{tile, network.neighbour(tile, port)}] += flits;
  EXPECT_EQ(counted, expected);
}

/// A tree with one target is a packet like any other, to the cycle.
TEST_P(MulticastTraffic, ATreeWithOneTargetIsAUnicastPacket) {
  const Load &load = GetParam();
  MeshNetwork unicast(load.mesh, load.parameters), trees(load.mesh, load.parameters);
  CounterRandom random(3);
  for (uint32_t i = 0; i < load.packets; ++i) {
    uint64_t cycle = i * load.spanCycles / load.packets;
    TileId source = random.below(load.mesh.tiles()), target = random.below(load.mesh.tiles());
    uint32_t flits = 1 + random.below(load.mostFlits);
    unicast.send(source, target, flits, cycle);
    trees.sendTree(trees.addTree(multicastTree(load.mesh, Routing::XY, source, {target})), flits,
                   cycle);
  }
  unicast.drain();
  trees.drain();
  ASSERT_EQ(trees.delivered(), load.packets);
  for (PacketId id = 0; id < load.packets; ++id) {
    ASSERT_EQ(trees.packets()[id].headCycle, unicast.packets()[id].headCycle) << id;
    ASSERT_EQ(trees.arrivalAt(id, 0).headCycle, unicast.packets()[id].headCycle) << id;
    ASSERT_EQ(trees.arrivalAt(id, 0).tailCycle, unicast.packets()[id].tailCycle) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Loads, MulticastTraffic,
    ::testing::Values(
        Load{{4, 4}, {}, 500, 1, 5000}, Load{{8, 8}, {}, 2000, 1, 200},
        Load{{8, 8}, {}, 2000, 4, 50}, Load{{6, 5}, {.pipelineCycles = 5}, 1000, 4, 50},
        Load{{8, 8}, {.virtualChannels = 4}, 2000, 4, 50},
        Load{{8, 8, Topology::Tree}, {}, 2000, 4, 50},
        Load{{5, 3, Topology::Tree}, {.pipelineCycles = 5}, 1000, 4, 500},
        Load{{5, 6, Topology::Tree}, {.bufferFlits = 2, .virtualChannels = 2}, 2000, 2, 50},
        Load{{8, 8}, {.bufferFlits = 2, .virtualChannels = 2}, 2000, 2, 50},
        Load{{5, 5},
             {.virtualChannels = 2,
              .stages = StageCycles{.routing = 2,
                                    .channelAllocation = 2,
                                    .switchAllocation = 2,
                                    .switchTraversal = 2}},
             1000,
             4,
             100},
        Load{{8, 8},
             {.virtualChannels = 3, .allocator = SwitchAllocation::Islip, .stages = StageCycles{}},
             2000,
             4,
             50}));

/// Without contention the switch copies a flit to all outputs in one cycle.
TEST(MulticastNetwork, CopiesLeaveTogether) {
  for (uint32_t flits : {1, 3}) {
    MeshNetwork network({3, 3}, {});
    // From the middle in all four directions, and to the middle itself.
    network.sendTree(network.addTree(multicastTree({3, 3}, Routing::XY, 4, {1, 3, 4, 5, 7})), flits,
                     10);
    network.drain();
    EXPECT_EQ(network.packets()[0].injectedCycle, 10u);
    for (uint32_t target : {0, 1, 3, 4})
      EXPECT_EQ(network.arrivalAt(0, target).tailCycle, 10u + 3 * 2 + 2 + flits - 1);
    EXPECT_EQ(network.arrivalAt(0, 2).tailCycle, 10u + 3 + 2 + flits - 1);
  }
}

/// A branch that has to wait holds up neither the others nor what follows them.
TEST(MulticastNetwork, BranchesGoOnSideBySide) {
  MeshNetwork network({3, 3}, {.bufferFlits = 8});
  // Tile 3 fills the way from the middle to the east for 20 cycles; the packet goes east and south.
  network.send(3, 5, 20, 0);
  network.sendTree(network.addTree(multicastTree({3, 3}, Routing::XY, 4, {5, 7})), 4, 3);
  network.drain();
  EXPECT_EQ(network.packets()[0].tailCycle, 3u * 3 + 2 + 19);
  EXPECT_EQ(network.arrivalAt(1, 1).tailCycle, 3u + 3 * 2 + 2 + 3); // south, at once
  EXPECT_GT(network.arrivalAt(1, 0).headCycle, 3u * 3 + 2 + 19);    // east, behind the other
}

/// Neuron 0 of cluster 0 at tile 0 drives crossbars at tiles 2, 8 and 6 of a 3x3 mesh.
ChipCase fan() {
  ChipCase made(ChipCase::pricedChip({3, 3}), 0, 2, 4, 1);
  made.clustering.units = {{0, 0, kNone}, {1, 0, kNone}};
  for (ClusterId c : {1, 2, 3})
    made.clustering.clusters[c].axons = {{0, 1, 0}};
  made.clustering.clusters[2].axons.push_back({1, 1, 0});
  made.mapping.placements = {{0, 0}, {2, 0}, {6, 0}, {8, 0}};
  return made;
}

TEST(MulticastPlan, TablesHoldTurnsAndBranches) {
  ChipCase made = fan();
  made.chip.router.multicast = Multicast::Tree;
  SpikeFanOut fanOut(made.clustering, made.mapping);
  MulticastPlan plan = llvm::cantFail(planMulticast(fanOut, 2, made.chip));
  ASSERT_EQ(plan.trees.size(), 2u);
  EXPECT_THAT(plan.trees[0].targets, ElementsAre(2, 6, 8));
  // The tree of neuron 0 goes 0-1-2-5-8 and 0-3-6: straight on through 1, 5 and 3. That of neuron 1
  // goes 0-3-6.
  EXPECT_THAT(plan.tableEntries(made.chip.mesh), ElementsAre(2, 0, 1, 0, 0, 0, 2, 0, 1));
  ASSERT_EQ(plan.packets[0].size(), 1u);
  EXPECT_EQ(plan.packets[0][0].stops.size(), 3u);
  EXPECT_EQ(plan.packets[0][0].stops[1].front().cluster, 2u);

  made.chip.router.multicast = Multicast::Path;
  plan = llvm::cantFail(planMulticast(fanOut, 2, made.chip));
  EXPECT_EQ(plan.packets[0].size(), 2u); // columns 0 and 2
  EXPECT_EQ(plan.packets[1].size(), 1u);
  EXPECT_EQ(plan.trees.size(), 2u); // tile 6 alone is one for both neurons
}

TEST(MulticastPlan, FullTablesAreRefused) {
  ChipCase made = fan();
  made.chip.path = "chip.yaml";
  made.chip.router.multicast = Multicast::Tree;
  made.chip.router.multicastEntries = 1;
  SpikeFanOut fanOut(made.clustering, made.mapping);
  EXPECT_EQ(
      toText(planMulticast(fanOut, 2, made.chip).takeError()),
      "chip.yaml: error: the router of tile 0 needs 2 multicast entries, its table has 1; set "
      "multicast_entries: 2, or multicast: unicast");
}

} // namespace
