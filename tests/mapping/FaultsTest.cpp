// Placements that keep clear of what does not work.
#include "core/chip/CrossbarRoom.h"
#include "core/chip/routing/Ways.h"
#include "lib/mapping/Map.h"

#include "tests/mapping/RandomClustering.h"
#include "gmock/gmock.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace spindle {
namespace {

using testing::HasSubstr;

constexpr PlacementAlgorithm kAlgorithms[] = {
    PlacementAlgorithm::Annealing, PlacementAlgorithm::Greedy, PlacementAlgorithm::Random};

/// Clusters of random size, and crossbars of 4x4 of which some have less.
struct Drawn {
  Clustering clustering;
  Chip chip;
};

Drawn draw(uint64_t seed) {
  CounterRandom random(seed, 11);
  uint32_t clusters = 2 + random.below(5);
  Drawn drawn{randomClustering(seed, clusters, 3), meshChip(3, 2, 1 + random.below(2))};
  drawn.clustering.rows = drawn.clustering.columns = 4;
  for (Cluster &cluster : drawn.clustering.clusters)
    for (NeuronId neuron = 0; neuron < clusters && cluster.axons.size() < 4; ++neuron)
      if (random.below(2) == 0) {
        cluster.axons.push_back({neuron, 1, 0});
        ++cluster.synapses;
      }
  drawn.chip.crossbar = {.rows = 4, .columns = 4};
  drawn.chip.router.routing = Routing::UpDown;
  if (random.below(2) == 0)
    drawn.chip.router.deadTiles = {1 + random.below(5)};
  for (TileId tile = 0; tile < 6; ++tile)
    if (random.below(2) == 0) {
      CrossbarFault fault{tile, random.below(drawn.chip.crossbarsPerTile), {}, {}};
      for (uint32_t row = 0; row < 4; ++row)
        if (random.below(2) == 0)
          fault.rows.push_back(row);
      drawn.chip.crossbarFaults.push_back(fault);
    }
  return drawn;
}

/// Whether there is a placement, by trying all, and the fewest spike hops of one.
std::optional<uint64_t> leastSpikeHops(const Drawn &drawn) {
  const auto &[clustering, chip] = drawn;
  CrossbarRoom room(chip);
  Ways ways(chip);
  std::vector<uint32_t> slots(clustering.clusters.size());
  std::vector<bool> taken(chip.mesh.tiles() * chip.crossbarsPerTile);
  std::optional<uint64_t> least;
  std::function<void(size_t)> place = [&](size_t c) {
    if (c == slots.size()) {
      uint64_t hops = 0;
      for (const ClusterLink &link : clustering.links) {
        TileId to = slots[link.to] / chip.crossbarsPerTile;
        TileId from = link.from == kNone ? 0 : slots[link.from] / chip.crossbarsPerTile;
        hops += (link.spikes + partialSumPackets(clustering, link)) * ways.hops(from, to);
      }
      least = std::min(least.value_or(hops), hops);
      return;
    }
    for (uint32_t slot = 0; slot < taken.size(); ++slot)
      if (!taken[slot] && room.fits(sizeOf(clustering.clusters[c]), slot)) {
        taken[slot] = true;
        slots[c] = slot;
        place(c + 1);
        taken[slot] = false;
      }
  };
  place(0);
  return least;
}

TEST(MapWithFaults, EveryPlacementThatExistsIsFound) {
  uint32_t placed = 0, refused = 0, best = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Drawn drawn = draw(seed);
    if (drawn.clustering.clusters.size() > 5 && drawn.chip.crossbarsPerTile > 1)
      continue; // too many to try
    std::optional<uint64_t> least = leastSpikeHops(drawn);
    for (PlacementAlgorithm algorithm : kAlgorithms) {
      MappingOptions options;
      options.algorithm = algorithm;
      options.moves = 4000;
      llvm::Expected<Mapping> mapping = map(drawn.clustering, drawn.chip, options);
      ASSERT_EQ(bool(mapping), least.has_value()) << "seed " << seed;
      if (!mapping) {
        EXPECT_THAT(toText(mapping.takeError()), HasSubstr("mesh.yaml: error: "));
        ++refused;
        continue;
      }
      ++placed;
      EXPECT_EQ(toText(verify(*mapping, drawn.clustering, drawn.chip)), "");
      EXPECT_GE(mapping->spikeHops, *least);
      best += algorithm == PlacementAlgorithm::Annealing && mapping->spikeHops == *least;
      EXPECT_GE(mapping->randomSpikeHops, double(*least) * (1 - 1e-12));
    }
  }
  EXPECT_GT(placed, 150u);
  EXPECT_GT(refused, 30u);
  EXPECT_GT(3 * best, placed * 9 / 10); // detours are not looked at, so not always
}

TEST(MapWithFaults, ObjectivesOfNetsKeepClearOfThem) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (PlacementObjective objective :
         {PlacementObjective::MulticastHops, PlacementObjective::Congestion}) {
      Drawn drawn = draw(seed);
      MappingOptions options;
      options.objective = objective;
      options.moves = 2000;
      llvm::Expected<Mapping> mapping = map(drawn.clustering, drawn.chip, options);
      if (!mapping) {
        llvm::consumeError(mapping.takeError());
        continue;
      }
      EXPECT_EQ(toText(verify(*mapping, drawn.clustering, drawn.chip)), "");
    }
}

TEST(MapWithFaults, RefusalsSayWhatIsMissing) {
  Clustering clustering = randomClustering(1, 6, 3);
  Chip chip = meshChip(3, 2);
  chip.crossbar = {.rows = 4, .columns = 4};
  chip.router.routing = Routing::UpDown;
  chip.router.deadTiles = {4};
  EXPECT_EQ(toText(map(clustering, chip, {}).takeError()),
            "mesh.yaml: error: 6 clusters need as many crossbars, but the chip has 5 (3x2 tiles of "
            "1, of which 1 crossbars are dead); choose a larger mesh");
  chip.router.deadTiles = {};
  clustering.rows = clustering.columns = 4;
  clustering.clusters[1].axons = {{0, 1, 0}, {2, 1, 0}, {3, 1, 0}};
  clustering.clusters[4].axons = {{0, 1, 0}, {2, 1, 0}};
  clustering.clusters[1].synapses = 3;
  clustering.clusters[4].synapses = 2;
  for (TileId tile = 0; tile < 5; ++tile)
    chip.crossbarFaults.push_back({tile, 0, {1, 2, 3}, {}});
  EXPECT_EQ(toText(map(clustering, chip, {}).takeError()),
            "mesh.yaml: error: faults leave too little room: 2 clusters fit into no more than 1 "
            "crossbars (cluster 4 needs 2 rows and 1 columns); make crossbar rows and columns "
            "smaller in this file and partition again, or choose a larger mesh");
  chip.crossbarFaults.clear();
  chip.router = {.deadLinks = {{0, 1}}};
  EXPECT_THAT(toText(map(clustering, chip, {}).takeError()),
              HasSubstr("routing xy does not go round the faults; use routing up_down"));
  chip.router.routing = Routing::UpDown;
  EXPECT_TRUE(bool(map(clustering, chip, {})));
}

} // namespace
} // namespace spindle
