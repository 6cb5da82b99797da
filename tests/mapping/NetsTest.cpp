// Placement by what the packets of a neuron take together.
#include "core/chip/RouterTiming.h"
#include "lib/mapping/Map.h"
#include "lib/mapping/NetCost.h"

#include "core/support/CounterRandom.h"
#include "tests/mapping/RandomClustering.h"

#include "gtest/gtest.h"

#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace spindle {
namespace {

/// Clusters of three neurons and two inputs of the host, heard here and there; a few partial sums.
Clustering clusteringOfNeurons(uint64_t seed, uint32_t clusters) {
  CounterRandom random(seed, 5);
  Clustering clustering;
  clustering.rows = clustering.columns = 100;
  clustering.neurons = 2 + 3 * clusters;
  clustering.samples = 1;
  clustering.steps = 40;
  clustering.sums = static_cast<PartialSums>(seed % 3);
  clustering.clusters.resize(clusters);
  for (uint32_t n = 2; n < clustering.neurons; ++n)
    clustering.units.push_back({n, (n - 2) / 3, kNone});
  std::map<std::pair<ClusterId, ClusterId>, ClusterLink> links;
  auto link = [&](ClusterId from, ClusterId to) -> ClusterLink & {
    return links.try_emplace({from, to}, ClusterLink{from, to, 0, 0}).first->second;
  };
  for (uint32_t n = 0; n < clustering.neurons; ++n) {
    ClusterId home = n < 2 ? kNone : (n - 2) / 3;
    uint64_t spikes = random.below(20);
    for (ClusterId c = 0; c < clusters; ++c)
      if (random.below(3) == 0) {
        clustering.clusters[c].axons.push_back({n, 1, spikes});
        if (c != home)
          link(home, c).spikes += spikes;
      }
  }
  for (ClusterId c = 0; c + 1 < clusters; ++c)
    if (random.below(3) == 0)
      link(c, c + 1).partialSums = random.below(100);
  for (ClusterId c = 0; c < clusters; ++c) {
    Cluster &cluster = clustering.clusters[c];
    cluster.units = cluster.neurons = 3;
    cluster.synapses = cluster.axons.size();
  }
  for (const auto &[ends, each] : links) {
    clustering.links.push_back(each);
    clustering.cutSpikes += each.from == kNone ? 0 : each.spikes;
  }
  return clustering;
}

Chip pricedMesh(uint32_t columns, uint32_t rows, uint32_t crossbarsPerTile, Multicast multicast) {
  Chip chip = meshChip(columns, rows, crossbarsPerTile);
  chip.energy.hopXPj.value = 1.25;
  chip.energy.hopYPj.value = 4.5;
  chip.energy.axonOutPj.value = 7;
  chip.energy.axonInPj.value = 3;
  chip.router.partialSumPacketFlits = 3;
  chip.router.multicast = multicast;
  return chip;
}

/// By definition: neuron by neuron, sum by sum, link by link.
double costByDefinition(const Clustering &clustering, const Chip &chip,
                        const std::vector<TileId> &tiles, PlacementObjective objective) {
  const Mesh &mesh = chip.mesh;
  bool isTree =
      objective == PlacementObjective::MulticastHops || chip.router.multicast != Multicast::Unicast;
  bool toEach = !isTree && chip.router.packetsTo == PacketTarget::Crossbar;
  std::map<std::pair<TileId, TileId>, double> loads;
  std::set<std::pair<TileId, TileId>> slow; // of those, between chips
  std::map<TileId, double> sent, received;
  double cost = 0;
  auto nearestHost = [&](TileId target) {
    TileId nearest = mesh.hostTiles.front();
    for (TileId host : mesh.hostTiles)
      if (mesh.route(host, target).size() < mesh.route(nearest, target).size())
        nearest = host;
    return nearest;
  };
  auto send = [&](ClusterId home, const std::set<ClusterId> &heardBy, double packets, double flits,
                  bool isWired = false) {
    std::multiset<std::tuple<TileId, TileId, TileId>> ways; // each source has a tree of its own
    std::multiset<TileId> targets, locals;
    for (ClusterId c : heardBy) {
      TileId source = home == kNone ? nearestHost(tiles[c]) : tiles[home];
      std::multiset<TileId> &where = tiles[c] == source ? locals : targets;
      bool needsPacket = &where == &targets || (!isWired && (home != kNone || toEach));
      if (needsPacket && (toEach || !where.contains(tiles[c])))
        where.insert(tiles[c]);
    }
    for (TileId tile : locals) {
      sent[tile] += flits;
      received[tile] += flits;
    }
    std::set<TileId> sources;
    for (TileId target : targets) {
      received[target] += flits;
      TileId source = home == kNone ? nearestHost(target) : tiles[home];
      if (!isTree || sources.insert(source).second)
        sent[source] += flits;
      std::vector<TileId> way = mesh.route(source, target);
      for (size_t i = 1; i < way.size(); ++i)
        if (!isTree || !ways.contains({source, way[i - 1], way[i]}))
          ways.insert({source, way[i - 1], way[i]});
    }
    for (auto [source, from, to] : ways) {
      // Both ways of a segment share its lanes.
      loads[mesh.isBus() ? std::pair(std::min(from, to), std::max(from, to))
                         : std::pair(from, to)] += flits;
      bool alongX = !mesh.isTree() && mesh.y(from) == mesh.y(to);
      bool crosses = mesh.chipOf(from) != mesh.chipOf(to);
      if (crosses)
        slow.insert({from, to});
      if (objective == PlacementObjective::MulticastHops)
        cost += flits * (crosses ? 5 : 1); // of five hops, see joined
      if (objective == PlacementObjective::Energy)
        cost += flits * ((alongX ? chip.energy.hopXPj.value : chip.energy.hopYPj.value) +
                         (crosses ? chip.energy.chipLinkPj.value : 0));
    }
    if (objective == PlacementObjective::Energy) {
      double made = isTree ? !targets.empty() : double(targets.size());
      auto local = double(locals.size());
      if (home != kNone)
        cost += packets * (made + local) * chip.energy.axonOutPj.value;
      cost += packets * (double(targets.size()) + local) * chip.energy.axonInPj.value;
    }
  };
  for (uint32_t n = 0; n < clustering.neurons; ++n) {
    ClusterId home = n < 2 ? kNone : (n - 2) / 3;
    std::set<ClusterId> heardBy;
    double spikes = 0;
    for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
      for (const Axon &axon : clustering.clusters[c].axons)
        if (axon.neuron == n) {
          spikes = double(axon.spikes);
          if (c != home || toEach)
            heardBy.insert(c);
        }
    send(home, heardBy, spikes, spikes * chip.router.spikePacketFlits);
  }
  for (const ClusterLink &link : clustering.links) {
    double sums = double(link.partialSums), packets = sums;
    if (clustering.sums == PartialSums::Vector)
      packets = std::min(packets, 40.0);
    // An address and a value of two flits, then values alone.
    send(link.from, {link.to}, packets, packets * 3 + (sums - packets) * 2,
         clustering.sums == PartialSums::Tile);
  }
  if (objective == PlacementObjective::Congestion)
    for (const auto &[link, load] : loads)
      cost += load * load * (slow.contains(link) ? 4 * 4 : 1);
  if (objective == PlacementObjective::Time) {
    // Buffers of `places` flits, used again after 2 + 2 cycles between tile and router, after six
    // between routers, after 30 between chips. A bus has two lanes without buffers.
    double places = chip.router.bufferFlits * chip.router.virtualChannels;
    auto square = [](double value) { return value * value; };
    for (const auto &[link, load] : loads)
      cost += mesh.isBus() ? square(load / 2)
                           : square(load * std::max(slow.contains(link) ? 4.0 : 1.0,
                                                    (slow.contains(link) ? 30 : 6) / places));
    RouterTiming timing(chip);
    for (auto [tile, flits] : sent)
      cost += square(flits * timing.busyInject);
    for (auto [tile, flits] : received)
      cost += square(flits * timing.busyEject);
  }
  return cost;
}

/// Four chips, between which a hop takes five times as long, and a flit four times.
void join(Chip &chip) {
  chip.mesh.chipColumns = chip.mesh.columns;
  chip.mesh.chipRows = chip.mesh.rows;
  chip.mesh.columns *= 2;
  chip.mesh.rows *= 2;
  chip.router.bufferFlits = 64;
  chip.router.chipLink = ChipLink{13, 4}; // of a hop of 3 cycles one is its link's
  chip.energy.chipLinkPj.value = 30;
}

constexpr PlacementObjective kOfNets[] = {PlacementObjective::Energy,
                                          PlacementObjective::MulticastHops,
                                          PlacementObjective::Congestion, PlacementObjective::Time};

Slots randomSlots(CounterRandom &random, uint32_t clusters, uint32_t count) {
  Slots slots(count);
  std::iota(slots.begin(), slots.end(), 0);
  for (uint32_t c = 0; c < clusters; ++c)
    std::swap(slots[c], slots[c + random.below(count - c)]);
  slots.resize(clusters);
  return slots;
}

TEST(Nets, CostIsThatOfTheDefinitionAfterEveryMove) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    CounterRandom random(seed, 6);
    uint32_t perTile = 1 + seed % 3;
    Clustering clustering = clusteringOfNeurons(seed, 9);
    Chip chip = pricedMesh(5, 4, perTile, seed % 4 < 2 ? Multicast::Unicast : Multicast::Tree);
    if (seed % 4 == 1)
      chip.mesh.topology = Topology::Torus;
    if (seed == 3 || seed == 4)
      chip.mesh.topology = Topology::Tree;
    if (seed == 6 || seed == 7)
      chip.mesh.topology = Topology::SegmentedBus;
    chip.router.bus.lanes = 2;
    if (chip.mesh.topology == Topology::Mesh && seed % 2 == 0)
      join(chip);
    if (seed >= 8)
      chip.router.packetsTo = PacketTarget::Crossbar; // which trees pay no heed to
    if (seed % 3 != 0)
      chip.mesh.hostTiles = {7, static_cast<TileId>(seed), 19};
    for (PlacementObjective objective : kOfNets) {
      if (chip.mesh.wraps() && objective == PlacementObjective::MulticastHops)
        continue; // trees are of meshes
      NetProblem problem = llvm::cantFail(netProblem(clustering, chip, objective));
      Slots slots = randomSlots(random, 9, problem.slots());
      NetCost cost(problem, slots);
      std::vector<TileId> tiles;
      for (SlotId slot : slots)
        tiles.push_back(slot / perTile);
      for (int step = 0; step < 60; ++step) {
        double expected = costByDefinition(clustering, chip, tiles, objective);
        ASSERT_NEAR(cost.cost(), expected, 1e-9 * (1 + expected)) << "seed " << seed;
        ClusterId a = random.below(9), b = random.below(9);
        bool isSwap = random.below(2) == 0 && a != b;
        TileId to = random.below(chip.mesh.tiles());
        if (isSwap)
          cost.swap(a, b);
        else
          cost.move(a, to);
        if (random.below(3) == 0)
          cost.undo();
        else if (isSwap)
          std::swap(tiles[a], tiles[b]);
        else
          tiles[a] = to;
      }
    }
  }
}

TEST(Nets, AnnealingFindsTheOptimumOfSmallMeshes) {
  struct Case {
    uint32_t clusters, columns, rows, crossbarsPerTile;
  };
  for (Case c : {Case{6, 3, 2, 1}, Case{4, 3, 3, 1}, Case{5, 3, 1, 2}})
    for (uint64_t seed = 0; seed < 2; ++seed)
      for (PlacementObjective objective : kOfNets) {
        Clustering clustering = clusteringOfNeurons(seed, c.clusters);
        Chip chip = pricedMesh(c.columns, c.rows, c.crossbarsPerTile,
                               seed == 0 ? Multicast::Unicast : Multicast::Tree);
        if (seed == 1)
          chip.mesh.hostTiles = {1, chip.mesh.tiles() - 1};
        std::vector<TileId> tiles(c.clusters);
        std::vector<uint32_t> used(chip.mesh.tiles(), 0);
        double least = std::numeric_limits<double>::infinity();
        std::function<void(size_t)> place = [&](size_t cluster) {
          if (cluster == tiles.size()) {
            least = std::min(least, costByDefinition(clustering, chip, tiles, objective));
            return;
          }
          for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
            if (used[tile] < c.crossbarsPerTile) {
              ++used[tile];
              tiles[cluster] = tile;
              place(cluster + 1);
              --used[tile];
            }
        };
        place(0);
        MappingOptions options;
        options.objective = objective;
        llvm::Expected<Mapping> mapping = map(clustering, chip, options);
        ASSERT_TRUE(bool(mapping)) << toText(mapping.takeError());
        for (ClusterId cluster = 0; cluster < c.clusters; ++cluster)
          tiles[cluster] = mapping->placements[cluster].tile;
        EXPECT_NEAR(costByDefinition(clustering, chip, tiles, objective), least, 1e-9 * least)
            << c.clusters << " clusters, seed " << seed << ", objective " << int(objective);
      }
}

/// Each objective is better at what it counts than the placement by spike hops that it starts from.
TEST(Nets, ObjectivesWin) {
  for (PlacementObjective objective : kOfNets) {
    double own = 0, spikeHops = 0;
    for (uint64_t seed = 0; seed < 2; ++seed) {
      Clustering clustering = clusteringOfNeurons(seed, 30);
      Chip chip = pricedMesh(7, 6, 1, Multicast::Unicast);
      for (bool isOwn : {true, false}) {
        MappingOptions options;
        options.objective = isOwn ? objective : PlacementObjective::SpikeHops;
        options.moves = 8'000;
        Mapping mapping = llvm::cantFail(map(clustering, chip, options));
        std::vector<TileId> tiles;
        for (const Placement &placement : mapping.placements)
          tiles.push_back(placement.tile);
        (isOwn ? own : spikeHops) += costByDefinition(clustering, chip, tiles, objective);
      }
    }
    EXPECT_LT(own, 0.99 * spikeHops) << int(objective);
  }
}

} // namespace
} // namespace spindle
