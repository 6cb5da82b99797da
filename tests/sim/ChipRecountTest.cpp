// The events of a simulation counted a second time from trace, clustering and mapping, without a
// network.
#include "sim/model/ChipSimulation.h"

#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// What has to happen, by definition and by brute force.
struct Recount {
  uint64_t spikePackets = 0, partialSumPackets = 0, localDeliveries = 0, fromHost = 0;
  uint64_t partialSums = 0; // from crossbar to crossbar
  std::map<std::pair<TileId, TileId>, uint64_t> linkFlits;
  std::vector<uint64_t> tileSpikes, tileSynapticEvents;
  uint64_t latencyBoundSum = 0; // without any contention

  explicit Recount(const ChipCase &given)
      : tileSpikes(given.chip.mesh.tiles()), tileSynapticEvents(given.chip.mesh.tiles()) {
    for (const std::vector<Spike> &spikes : given.trace.recorded)
      for (uint32_t step = 0; step < given.trace.steps; ++step) {
        std::set<NeuronId> now;
        for (const Spike &spike : spikes)
          if (spike.step == step)
            now.insert(spike.neuron);
        for (NeuronId neuron : now)
          countSpike(given, neuron);
        countPartialSums(given, now);
      }
  }

private:
  void countSpike(const ChipCase &given, NeuronId neuron) {
    ClusterId home = kNone;
    for (const Unit &unit : given.clustering.units)
      if (unit.neuron == neuron)
        home = unit.cluster; // the last one of the chain
    if (home != kNone)
      ++tileSpikes[given.mapping.placements[home].tile];
    std::set<TileId> tiles;
    for (ClusterId c = 0; c < given.clustering.clusters.size(); ++c)
      for (const Axon &axon : given.clustering.clusters[c].axons)
        if (axon.neuron == neuron) {
          tileSynapticEvents[given.mapping.placements[c].tile] += axon.synapses.all();
          if (c != home)
            tiles.insert(given.mapping.placements[c].tile);
        }
    for (TileId target : tiles) {
      localDeliveries += target == given.sourceTile(home, target);
      fromHost += home == kNone;
      spikePackets += countPacket(given, given.sourceTile(home, target), target,
                                  given.chip.router.spikePacketFlits);
    }
  }

  static bool comesBy(const Clustering &clustering, UnitId from, UnitId by) {
    while (from != kNone && from != by)
      from = clustering.units[from].carryTo;
    return from == by;
  }

  void countPartialSums(const ChipCase &given, const std::set<NeuronId> &now) {
    const Clustering &clustering = given.clustering;
    std::map<std::pair<ClusterId, ClusterId>, uint32_t> sums;
    for (UnitId u = 0; u < clustering.units.size(); ++u) {
      if (clustering.units[u].carryTo == kNone)
        continue;
      // Some unit whose sum comes by here sits in a crossbar that heard a spike.
      bool active = false;
      for (UnitId v = 0; v <= u; ++v)
        if (comesBy(clustering, v, u))
          for (const Axon &axon : clustering.clusters[clustering.units[v].cluster].axons)
            active |= now.count(axon.neuron) > 0;
      ClusterId from = clustering.units[u].cluster,
                to = clustering.units[clustering.units[u].carryTo].cluster;
      if (active && from != to)
        ++sums[{from, to}];
    }
    for (auto [ends, count] : sums) {
      partialSums += count;
      bool together = clustering.sums == PartialSums::Vector;
      // An address, and a value for each sum.
      uint32_t one = given.chip.router.partialSumPacketFlits;
      uint32_t flits = together ? one + (count - 1) * std::max(1u, one - 1) : one;
      TileId source = given.mapping.placements[ends.first].tile;
      TileId target = given.mapping.placements[ends.second].tile;
      for (uint32_t packet = 0; packet < (together ? 1 : count); ++packet) {
        localDeliveries += source == target && clustering.sums != PartialSums::Tile;
        partialSumPackets += countPacket(given, source, target, flits);
      }
    }
  }

  /// Whether the packet crosses the mesh.
  bool countPacket(const ChipCase &given, TileId source, TileId target, uint32_t flits) {
    std::vector<TileId> route = given.chip.mesh.route(source, target);
    for (size_t i = 1; i < route.size(); ++i)
      linkFlits[{route[i - 1], route[i]}] += flits;
    const Router &router = given.chip.router;
    if (source != target && given.chip.mesh.isBus())
      latencyBoundSum += router.endCycles + 1 + flits - 1;
    else if (source != target)
      latencyBoundSum += router.pipelineCycles * route.size() + router.endCycles + flits - 1;
    return source != target;
  }
};

struct Shape {
  Mesh mesh;
  uint32_t crossbarsPerTile, clusters;
};

/// As a mapping states it, which counts packets of partial sums at their upper bound.
uint64_t spikeHopsOf(const ChipCase &given) {
  uint64_t hops = 0, steps = uint64_t(given.clustering.samples) * given.clustering.steps;
  for (size_t l = 0; l < given.clustering.links.size(); ++l) {
    const ClusterLink &link = given.clustering.links[l];
    bool together = given.clustering.sums == PartialSums::Vector;
    hops += (link.spikes + (together ? std::min(link.partialSums, steps) : link.partialSums)) *
            (given.mapping.routes[l].tiles.size() - 1);
  }
  return hops;
}

/// Two chips side by side, or as many as there are columns, and two below each other where rows
/// are even.
void join(ChipCase &given) {
  for (Mesh *mesh : {&given.chip.mesh, &given.mapping.mesh}) {
    mesh->chipColumns = mesh->columns % 2 == 0 ? mesh->columns / 2 : 1;
    mesh->chipRows = mesh->rows % 2 == 0 ? mesh->rows / 2 : mesh->rows;
  }
  given.chip.router.chipLink = ChipLink{9, 2};
  given.chip.energy.chipLinkPj = {512, "chip link"};
}

class RandomChips : public ::testing::TestWithParam<Shape> {};

TEST_P(RandomChips, EventsAreThoseOfTheDefinition) {
  const Shape &shape = GetParam();
  for (uint64_t seed = 0; seed < 8; ++seed) {
    ChipCase given = ChipCase::random(seed, shape.mesh, shape.crossbarsPerTile, shape.clusters,
                                      static_cast<FanInShape>(seed / 2 % 2));
    if (seed % 2 == 1) {
      given.clustering.sums = PartialSums::Vector;
      given.chip.router.partialSumPacketFlits = 1 + seed / 2;
      given.mapping.spikeHops = spikeHopsOf(given);
    }
    if (seed > 5) {
      given.clustering.sums = PartialSums::Tile;
      given.mapping.spikeHops = spikeHopsOf(given);
    }
    if (shape.mesh.topology == Topology::Mesh && seed % 4 > 1)
      join(given);
    llvm::Expected<ChipStats> stats =
        simulateChip(given.clustering, given.mapping, given.trace, given.chip, {});
    ASSERT_TRUE(bool(stats)) << toText(stats.takeError());
    Recount recount(given);
    EXPECT_EQ(stats->spikePackets, recount.spikePackets);
    EXPECT_EQ(stats->partialSumPackets, recount.partialSumPackets);
    EXPECT_EQ(stats->localDeliveries, recount.localDeliveries);
    EXPECT_EQ(stats->tileSpikes, recount.tileSpikes);
    EXPECT_EQ(stats->tileSynapticEvents, recount.tileSynapticEvents);
    EXPECT_GE(stats->latencyMeanCycles * double(stats->packets),
              double(recount.latencyBoundSum) * (1 - 1e-9));

    std::map<std::pair<TileId, TileId>, uint64_t> linkFlits;
    for (const LinkLoad &link : stats->links)
      linkFlits[{link.from, link.to}] = link.flits;
    EXPECT_EQ(linkFlits, recount.linkFlits);

    uint64_t hops = 0;
    std::map<std::string, uint64_t> events;
    uint64_t betweenChips = 0;
    for (const auto &[link, flits] : recount.linkFlits) {
      hops += flits;
      const Mesh &mesh = given.chip.mesh;
      auto chipOf = [&](TileId tile) {
        return std::pair(tile % mesh.columns / mesh.chipColumns,
                         tile / mesh.columns / mesh.chipRows);
      };
      betweenChips += mesh.isJoined() && chipOf(link.first) != chipOf(link.second) ? flits : 0;
    }
    for (const EnergyPart &part : stats->energy)
      events[part.name] = part.events;
    uint64_t packets = recount.spikePackets + recount.partialSumPackets + recount.localDeliveries;
    EXPECT_EQ(events["hop_x"] + events["hop_y"], hops);
    if (given.chip.mesh.isTree()) {
      EXPECT_EQ(events["hop_y"], hops); // up and down
    }
    EXPECT_EQ(events["chip_link"], betweenChips);
    for (const EnergyPart &part : stats->energy)
      if (part.name == "chip_link") {
        EXPECT_EQ(part.pj, 512 * double(betweenChips));
      }
    EXPECT_EQ(events["axon_in"], packets);
    EXPECT_EQ(events["partial_sum"], recount.partialSums);
    EXPECT_EQ(events["axon_out"], packets - recount.fromHost);
    EXPECT_EQ(events["neuron_update"], 80u * 12 * 3);
  }
}

TEST_P(RandomChips, RunsRepeat) {
  const Shape &shape = GetParam();
  ChipCase given = ChipCase::random(77, shape.mesh, shape.crossbarsPerTile, shape.clusters);
  auto run = [&] {
    return llvm::cantFail(
        simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}));
  };
  EXPECT_EQ(run(), run());
}

/// Samples leave nothing behind: together they make the events that each makes alone.
TEST_P(RandomChips, SamplesAddUp) {
  const Shape &shape = GetParam();
  ChipCase given = ChipCase::random(78, shape.mesh, shape.crossbarsPerTile, shape.clusters);
  auto run = [](const ChipCase &chipCase) {
    return llvm::cantFail(
        simulateChip(chipCase.clustering, chipCase.mapping, chipCase.trace, chipCase.chip, {}));
  };
  ChipStats all = run(given);
  uint64_t packets = 0, events = 0;
  for (const std::vector<Spike> &spikes : given.trace.recorded) {
    ChipCase one = given;
    one.trace.recorded = {spikes};
    ChipStats alone = run(one);
    packets += alone.packets;
    events += alone.synapticEvents;
  }
  EXPECT_EQ(all.packets, packets);
  EXPECT_EQ(all.synapticEvents, events);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RandomChips,
    ::testing::Values(
        Shape{{4, 4}, 1, 12}, Shape{{3, 2}, 3, 15}, Shape{{8, 8}, 1, 40}, Shape{{1, 1}, 6, 6},
        Shape{{6, 1}, 2, 9}, Shape{{5, 4, Topology::Mesh, {7, 19, 3}}, 1, 16},
        Shape{{3, 2, Topology::Mesh, {5}}, 3, 15}, Shape{{3, 3, Topology::Torus}, 2, 15},
        Shape{{2, 4, Topology::Torus}, 2, 12}, Shape{{1, 2, Topology::Torus}, 6, 9},
        Shape{{4, 4, Topology::Tree}, 1, 12}, Shape{{5, 3, Topology::Tree, {7, 14, 3}}, 2, 16},
        Shape{{1, 1, Topology::Tree}, 6, 6}, Shape{{4, 4, Topology::SegmentedBus}, 1, 12},
        Shape{{5, 3, Topology::SegmentedBus, {14, 2}}, 2, 16},
        Shape{{1, 1, Topology::SegmentedBus}, 6, 6}));

} // namespace
