#include "lib/mapping/Map.h"

#include "tests/mapping/FirstFitClusters.h"
#include "tests/mapping/RandomClustering.h"
#include "gmock/gmock.h"

#include <functional>
#include <numeric>

namespace spindle {
namespace {

Mapping mapped(const Clustering &clustering, const Chip &chip, const MappingOptions &options = {}) {
  auto mapping = map(clustering, chip, options);
  if (!mapping) {
    ADD_FAILURE() << toText(mapping.takeError());
    return {};
  }
  return *mapping;
}

MappingOptions with(PlacementAlgorithm algorithm, int64_t seed = 1) {
  MappingOptions options;
  options.algorithm = algorithm;
  options.seed = seed;
  return options;
}

/// Sum over links of packets × priced distance, from the placements alone.
double priceOf(const Clustering &clustering, const Chip &chip, const std::vector<TileId> &tiles,
               double hopX, double hopY, double spike, double partialSum) {
  double sum = 0;
  for (const ClusterLink &link : clustering.links) {
    TileId to = tiles[link.to];
    double nearest = std::numeric_limits<double>::infinity(), distance = 0;
    for (TileId from :
         link.from == kNone ? chip.mesh.hostTiles : std::vector<TileId>{tiles[link.from]}) {
      double dx = std::abs(double(from % chip.mesh.columns) - to % chip.mesh.columns);
      double dy = std::abs(double(from / chip.mesh.columns) - to / chip.mesh.columns);
      if (chip.mesh.wraps()) {
        dx = std::min(dx, chip.mesh.columns - dx);
        dy = std::min(dy, chip.mesh.rows - dy);
      }
      if (!chip.mesh.isGrid()) {
        dx = 0;
        dy = double(chip.mesh.route(from, to).size() - 1);
      }
      if (dx + dy < nearest) {
        nearest = dx + dy;
        distance = hopX * dx + hopY * dy;
      }
    }
    sum += distance * (double(link.spikes) * spike + double(link.partialSums) * partialSum);
  }
  return sum;
}

std::vector<TileId> tilesOf(const Mapping &mapping) {
  std::vector<TileId> tiles;
  for (const Placement &placement : mapping.placements)
    tiles.push_back(placement.tile);
  return tiles;
}

/// The least price over all placements.
double leastPrice(const Clustering &clustering, const Chip &chip, double hopX = 1, double hopY = 1,
                  double spike = 1, double partialSum = 1) {
  std::vector<TileId> tiles(clustering.clusters.size());
  std::vector<uint32_t> used(chip.mesh.tiles(), 0);
  double least = std::numeric_limits<double>::infinity();
  std::function<void(size_t)> place = [&](size_t cluster) {
    if (cluster == tiles.size()) {
      least = std::min(least, priceOf(clustering, chip, tiles, hopX, hopY, spike, partialSum));
      return;
    }
    for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
      if (used[tile] < chip.crossbarsPerTile) {
        ++used[tile];
        tiles[cluster] = tile;
        place(cluster + 1);
        --used[tile];
      }
  };
  place(0);
  return least;
}

TEST(Map, AnnealingFindsTheOptimumOfSmallMeshes) {
  struct Case {
    uint32_t clusters, columns, rows, crossbarsPerTile;
    Topology topology = Topology::Mesh;
    std::vector<TileId> hosts = {0};
  };
  for (const Case &c :
       {Case{8, 4, 2, 1}, Case{5, 3, 3, 1}, Case{6, 6, 1, 1}, Case{7, 2, 2, 2}, Case{1, 2, 2, 1},
        Case{7, 7, 1, 1, Topology::Torus}, Case{6, 5, 2, 1, Topology::Torus},
        Case{5, 3, 3, 1, Topology::Torus}, Case{6, 3, 3, 1, Topology::Mesh, {4}},
        Case{5, 4, 2, 1, Topology::Mesh, {7, 0, 3}}, Case{5, 5, 2, 1, Topology::Torus, {9, 2}},
        Case{6, 3, 3, 1, Topology::Tree}, Case{5, 4, 2, 2, Topology::Tree, {7, 0}},
        Case{6, 4, 2, 1, Topology::SegmentedBus}, Case{5, 3, 3, 1, Topology::SegmentedBus, {4}}})
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Clustering clustering = randomClustering(seed, c.clusters, 3);
      Chip chip = meshChip(c.columns, c.rows, c.crossbarsPerTile);
      chip.mesh.topology = c.topology;
      chip.mesh.hostTiles = c.hosts;
      EXPECT_EQ(double(mapped(clustering, chip).spikeHops), leastPrice(clustering, chip))
          << c.clusters << " clusters, seed " << seed;
    }
}

TEST(Map, AnnealingIsNeverWorseThanGreedy) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Clustering clustering = randomClustering(seed, 40, 1 + seed % 9);
    Chip chip = meshChip(8, 6);
    MappingOptions short_;
    short_.moves = int64_t(1 + 40 * seed); // far too few: little more than the start
    uint64_t greedy = mapped(clustering, chip, with(PlacementAlgorithm::Greedy)).spikeHops;
    EXPECT_LE(mapped(clustering, chip, short_).spikeHops, greedy);
    EXPECT_LT(greedy, mapped(clustering, chip).randomSpikeHops);
  }
}

TEST(Map, OptimumDoesNotDependOnTheNumbersOfTheClusters) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Clustering clustering = randomClustering(seed, 7, 3), renumbered = clustering;
    std::reverse(renumbered.units.begin(), renumbered.units.end());
    for (UnitId u = 0; u < 7; ++u)
      renumbered.units[u].neuron = u;
    for (ClusterLink &link : renumbered.links) {
      link.from = link.from == kNone ? kNone : 6 - link.from;
      link.to = 6 - link.to;
    }
    std::sort(renumbered.links.begin(), renumbered.links.end(),
              [](auto &a, auto &b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
    EXPECT_EQ(mapped(clustering, meshChip(3, 3)).spikeHops,
              mapped(renumbered, meshChip(3, 3)).spikeHops);
  }
}

TEST(Map, SameSeedSameMapping) {
  Clustering clustering = randomClustering(3, 30, 6);
  for (PlacementAlgorithm algorithm :
       {PlacementAlgorithm::Annealing, PlacementAlgorithm::Greedy, PlacementAlgorithm::Random})
    EXPECT_EQ(mapped(clustering, meshChip(6, 6), with(algorithm, 5)),
              mapped(clustering, meshChip(6, 6), with(algorithm, 5)));
  for (PlacementAlgorithm algorithm : {PlacementAlgorithm::Annealing, PlacementAlgorithm::Random})
    EXPECT_NE(mapped(clustering, meshChip(6, 6), with(algorithm, 5)).placements,
              mapped(clustering, meshChip(6, 6), with(algorithm, 6)).placements);
}

TEST(Map, SpikeHopsAndTheirRandomMeanAreWhatTheySay) {
  Clustering clustering = randomClustering(1, 20, 5);
  Chip chip = meshChip(5, 4, 2);
  chip.mesh.hostTiles = {12, 19, 0};
  double mean = 0;
  for (int64_t seed = 0; seed < 10; ++seed) {
    Mapping random = mapped(clustering, chip, with(PlacementAlgorithm::Random, seed));
    EXPECT_EQ(double(random.spikeHops), priceOf(clustering, chip, tilesOf(random), 1, 1, 1, 1));
    mean += double(random.spikeHops) / 10;
  }
  Mapping mapping = mapped(clustering, chip);
  EXPECT_DOUBLE_EQ(mapping.randomSpikeHops, mean);
  EXPECT_EQ(mapping.randomSeeds, 10u);
}

// Two different tiles of a box are (columns + rows) / 3 hops apart on average; 30 clusters take one
// of 6x5 tiles, however large the mesh is.
TEST(Map, RandomPlacementsAreUniformInTheSmallestBox) {
  Clustering clustering = randomClustering(1, 30, 10);
  std::erase_if(clustering.links, [](const ClusterLink &link) { return link.from == kNone; });
  double packets = 0, mean = 0;
  for (const ClusterLink &link : clustering.links)
    packets += double(link.spikes + link.partialSums);
  for (int64_t seed = 0; seed < 300; ++seed)
    mean +=
        double(
            mapped(clustering, meshChip(9, 6), with(PlacementAlgorithm::Random, seed)).spikeHops) /
        300;
  EXPECT_NEAR(mean / packets, (6 + 5) / 3., 0.05);
}

/// The box stands around the first of the host's tiles: 3x2 tiles about tile 52 = (4, 4) of 12x8,
/// and in the corner of tile 95.
TEST(Map, RandomPlacementsStandAroundTheHost) {
  Clustering clustering = randomClustering(1, 6, 3);
  struct Case {
    std::vector<TileId> hosts, box;
  };
  for (const Case &c : {Case{{0}, {0, 1, 2, 12, 13, 14}}, Case{{52, 0}, {39, 40, 41, 51, 52, 53}},
                        Case{{95, 52}, {81, 82, 83, 93, 94, 95}}}) {
    Chip chip = meshChip(12, 8);
    chip.mesh.hostTiles = c.hosts;
    for (int64_t seed = 0; seed < 5; ++seed) {
      std::vector<TileId> tiles =
          tilesOf(mapped(clustering, chip, with(PlacementAlgorithm::Random, seed)));
      EXPECT_THAT(tiles, testing::UnorderedElementsAreArray(c.box));
    }
  }
}

TEST(Map, RealNetworksTravelAFifthLessThanAtRandom) {
  struct Case {
    const char *name;
    uint32_t columns, rows;
  };
  for (Case c : {Case{"lenet_mnist0_T32", 11, 10}, Case{"lenet_mnist0_T32", 16, 16},
                 Case{"respclass", 3, 2}}) {
    Clustering clustering = firstFitClusters(c.name, 128, 32);
    if (clustering.clusters.empty())
      GTEST_SKIP() << "test data absent: workloads/graphs/" << c.name << " (set SPINDLE_DATA)";
    Mapping mapping = mapped(clustering, meshChip(c.columns, c.rows));
    EXPECT_LE(double(mapping.spikeHops), 0.8 * mapping.randomSpikeHops) << c.name;
  }
}

std::string errorOf(const Clustering &clustering, const Chip &chip, const MappingOptions &options) {
  return toText(map(clustering, chip, options).takeError());
}

TEST(Map, RefusesMoreClustersThanCrossbars) {
  EXPECT_EQ(errorOf(randomClustering(1, 9, 2), meshChip(2, 2, 2), {}),
            "mesh.yaml: error: 9 clusters need as many crossbars, but the chip has 8 (2x2 tiles of "
            "2); choose a larger mesh");
  EXPECT_EQ(mapped(randomClustering(1, 8, 2), meshChip(2, 2, 2)).placements.size(), 8u);
}

TEST(Map, RefusesEnergyWithoutPrices) {
  MappingOptions options;
  options.objective = PlacementObjective::Energy;
  EXPECT_EQ(
      errorOf(randomClustering(1, 4, 2), meshChip(2, 2), options),
      "mesh.yaml: error: objective energy needs a price of hops, but hop_x_pj and hop_y_pj are "
      "absent; add them or choose objective spike_hops");
}

TEST(Map, RefusesTrafficBeyondCounting) {
  Clustering clustering = randomClustering(1, 4, 0);
  clustering.links = {{kNone, 0, uint64_t(1) << 61, 0}};
  EXPECT_EQ(errorOf(clustering, meshChip(2, 2), {}),
            "clustering: error: the links carry more packets than costs can count; record fewer "
            "samples");
}

llvm::Error readFrom(const std::string &text, MappingOptions &options) {
  auto document = YamlDocument::parse(text, "flow.yaml");
  if (!document)
    return document.takeError();
  YamlReader reader(*document);
  readMappingOptions(reader, options);
  return reader.finish();
}

TEST(MappingOptions, GoalsThatNobodySeeksAreRefused) {
  auto errorFor = [](const std::string &algorithm, const std::string &objective) {
    MappingOptions options;
    return toText(
        readFrom("{algorithm: " + algorithm + ", objective: " + objective + "}", options));
  };
  for (const char *objective : {"spike_hops", "energy", "multicast_hops", "congestion", "time"}) {
    bool isHops = objective == std::string("spike_hops");
    EXPECT_EQ(errorFor("annealing", objective), "");
    EXPECT_EQ(errorFor("greedy", objective).empty(), isHops || objective == std::string("energy"));
    EXPECT_EQ(errorFor("random", objective).empty(), isHops);
  }
  EXPECT_EQ(errorFor("greedy", "time"),
            "flow.yaml:1:32: error: algorithm greedy does not seek objective time, annealing does; "
            "choose another or leave it out");
  EXPECT_EQ(errorFor("random", "energy"),
            "flow.yaml:1:32: error: algorithm random does not seek objective energy, annealing "
            "seeks all, greedy energy; choose another or leave it out");
}

TEST(MappingOptions, AreReadFromYaml) {
  MappingOptions options;
  EXPECT_FALSE(
      bool(readFrom("{algorithm: greedy, objective: energy, seed: 9, moves: 100}", options)));
  EXPECT_EQ(options.algorithm, PlacementAlgorithm::Greedy);
  EXPECT_EQ(options.objective, PlacementObjective::Energy);
  EXPECT_EQ(options.seed, 9);
  EXPECT_EQ(options.moves, 100);
  EXPECT_THAT(toText(readFrom("algorithm: anealing", options)),
              testing::AllOf(testing::HasSubstr("flow.yaml:1:12: error:"),
                             testing::HasSubstr("'anealing'"), testing::HasSubstr("annealing")));
}

} // namespace
} // namespace spindle
