#include "lib/partition/Partition.h"

#include "core/chip/loads/InseparableClusters.h"

#include "lib/partition/Decompose.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/packing/BuildClustering.h"
#include "lib/partition/packing/Packing.h"
#include "tests/partition/ExhaustivePartitions.h"

#include "gmock/gmock.h"

#include <map>
#include <set>

using namespace spindle;

namespace {

constexpr PartitionAlgorithm kAll[] = {
    PartitionAlgorithm::Metis,  PartitionAlgorithm::KernighanLin, PartitionAlgorithm::Annealing,
    PartitionAlgorithm::Greedy, PartitionAlgorithm::Random,       PartitionAlgorithm::FirstFit};

uint64_t trafficOf(const Clustering &clustering) {
  uint64_t spikes = 0;
  for (const ClusterLink &link : clustering.links)
    spikes += link.spikes;
  return spikes;
}

Clustering partitioned(const SpikingGraph &graph, const Chip &chip, PartitionAlgorithm algorithm,
                       FanInShape shape = FanInShape::Rows) {
  PartitionOptions options;
  options.shape = shape;
  options.algorithm = algorithm;
  llvm::Expected<Clustering> clustering = partition(graph, chip, options);
  if (!clustering) {
    ADD_FAILURE() << toText(clustering.takeError());
    return {};
  }
  return std::move(*clustering);
}

std::string errorOf(const SpikingGraph &graph, const Chip &chip,
                    ErrorKind expected = ErrorKind::Input) {
  llvm::Expected<Clustering> clustering = partition(graph, chip, {});
  if (clustering)
    return "no error";
  llvm::Error error = clustering.takeError();
  EXPECT_EQ(kindOf(error), expected);
  return toText(std::move(error));
}

TEST(Partition, EveryAlgorithmKeepsTheLimits) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CounterRandom random(seed, 7);
    RandomGraphShape shape{random.below(10), 1 + random.below(60), 1 + random.below(30),
                           seed % 2 == 0};
    SpikingGraph graph = randomGraph(seed, shape);
    Chip chip = chipOf(1 + random.below(20), 1 + random.below(12));
    for (PartitionAlgorithm algorithm : kAll) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", algorithm " << int(algorithm));
      Clustering clustering = partitioned(graph, chip, algorithm);
      EXPECT_EQ(toText(verifyAgainst(graph, clustering)), "");
      std::map<ClusterId, std::set<NeuronId>> axons;
      std::map<ClusterId, uint32_t> columns;
      std::vector<uint64_t> offsets = unitOffsets(graph, clustering.units);
      for (UnitId u = 0; u < clustering.units.size(); ++u) {
        ++columns[clustering.units[u].cluster];
        for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
          axons[clustering.units[u].cluster].insert(graph.sources[s]);
      }
      EXPECT_EQ(columns.size(), clustering.clusters.size());
      for (ClusterId c = 0; c < clustering.clusters.size(); ++c) {
        EXPECT_LE(columns[c], chip.crossbar.columns);
        EXPECT_LE(axons[c].size(), chip.crossbar.rows);
      }
    }
  }
}

/// The shape decides where sums go, and nothing else: clusters and spikes are those of chains.
TEST(Partition, TreesChangeTheWaysOfSumsAlone) {
  uint32_t branching = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SpikingGraph graph = randomGraph(seed, {5, 30, 30, true});
    Chip chip = chipOf(2 + uint32_t(seed % 5), 6);
    for (PartitionAlgorithm algorithm : kAll) {
      Clustering chain = partitioned(graph, chip, algorithm);
      Clustering tree = partitioned(graph, chip, algorithm, FanInShape::Tree);
      EXPECT_EQ(toText(verifyAgainst(graph, tree)), "");
      EXPECT_EQ(tree.clusters, chain.clusters);
      EXPECT_EQ(tree.cutSpikes, chain.cutSpikes);
      for (UnitId u = 0; u < tree.units.size(); ++u)
        branching += tree.units[u].carryTo != chain.units[u].carryTo;
    }
  }
  EXPECT_GT(branching, 1000u);
}

/// Sums between units of one crossbar stay there, so the search keeps many together: fewer travel
/// than with units in random places.
TEST(Partition, PairsKeepTheLimitsAndSumsAtHome) {
  uint64_t searched = 0, random = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    SpikingGraph graph = randomGraph(seed, {5, 30, 30, true});
    Chip chip = chipOf(6 + uint32_t(seed % 5), 8);
    for (PartitionAlgorithm algorithm : kAll) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", algorithm " << int(algorithm));
      Clustering clustering = partitioned(graph, chip, algorithm, FanInShape::Pairs);
      EXPECT_EQ(toText(verifyAgainst(graph, clustering)), "");
      uint64_t sums = 0;
      for (const ClusterLink &link : clustering.links)
        sums += link.partialSums;
      if (algorithm == PartitionAlgorithm::KernighanLin)
        searched += sums;
      if (algorithm == PartitionAlgorithm::Random)
        random += sums;
    }
  }
  EXPECT_LT(4 * searched, 3 * random);
}

/// What the search counts is what the clusters send: spikes, and sums at their bound.
TEST(Partition, TrafficOfPairsCountsSumsThatTravel) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SpikingGraph graph = randomGraph(seed, {4, 12, 12, true});
    Crossbar crossbar = chipOf(5, 6).crossbar;
    std::vector<Unit> units = decompose(graph, crossbar, FanInShape::Pairs);
    Hypergraph hypergraph = buildHypergraph(graph, units, true);
    Packing packing = growPacking(hypergraph, PackingRules(crossbar));
    Clustering clustering = buildClustering(graph, units, packing.assignment(), crossbar);
    uint64_t packets = 0;
    for (const ClusterLink &link : clustering.links)
      packets += link.spikes + link.partialSums;
    EXPECT_EQ(packing.traffic(), packets) << "seed " << seed;
  }
}

TEST(Partition, PairsNeedTwoRows) {
  SpikingGraph graph = randomGraph(1, {5, 30, 30, true});
  PartitionOptions options;
  options.shape = FanInShape::Pairs;
  Chip chip = chipOf(1, 8);
  EXPECT_EQ(toText(partition(graph, chip, options).takeError()),
            chip.path + (chip.path.empty() ? "" : ": ") +
                "error: fan_in.shape pairs needs crossbars of at least 2 rows, found 1; choose "
                "rows, or a larger crossbar");
}

TEST(Partition, RunsAreIdentical) {
  SpikingGraph graph = randomGraph(3, {20, 120, 40, true});
  Chip chip = chipOf(32, 16);
  for (PartitionAlgorithm algorithm : kAll)
    EXPECT_EQ(partitioned(graph, chip, algorithm), partitioned(graph, chip, algorithm));
}

/// The optimum of tiny networks. The search minimises traffic and rows and clusters together, so it
/// is compared with the best partition into as many clusters as it chose.
TEST(Partition, ComesCloseToTheOptimumOfTinyNetworks) {
  uint64_t found = 0, least = 0;
  uint32_t clusters = 0, fewest = 0, networks = 0;
  for (uint64_t seed = 0; networks < 60; ++seed) {
    CounterRandom random(seed, 9);
    SpikingGraph graph = randomGraph(seed, {3, 6, 6, true});
    Chip chip = chipOf(4 + random.below(4), 2 + random.below(3));
    std::vector<Unit> units = decompose(graph, chip.crossbar);
    if (units.size() > 8)
      continue;
    ++networks;
    ExhaustivePartitions all(graph, units, chip.crossbar);
    fewest += all.leastTraffic.begin()->first;
    uint32_t best = UINT32_MAX;
    for (PartitionAlgorithm algorithm :
         {PartitionAlgorithm::KernighanLin, PartitionAlgorithm::Metis}) {
      Clustering clustering = partitioned(graph, chip, algorithm);
      auto count = uint32_t(clustering.clusters.size());
      best = std::min(best, count);
      ASSERT_TRUE(all.leastTraffic.contains(count));
      uint64_t optimum = all.leastTraffic[count];
      EXPECT_GE(trafficOf(clustering), optimum) << "less than possible, seed " << seed;
      EXPECT_LE(trafficOf(clustering), optimum * 2) << "seed " << seed;
      found += trafficOf(clustering);
      least += optimum;
      if (algorithm == PartitionAlgorithm::KernighanLin)
        clusters += count;
    }
  }
  EXPECT_LE(double(found), 1.05 * double(least));
  EXPECT_LE(clusters, fewest + networks / 10);
  RecordProperty("traffic_over_optimum", std::to_string(double(found) / double(least)));
  RecordProperty("clusters_over_optimum", std::to_string(double(clusters) / fewest));
}

TEST(Partition, RefinementBeatsItsBaselines) {
  uint64_t refined = 0, greedy = 0, random = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SpikingGraph graph = randomGraph(seed, {16, 120, 10, false});
    Chip chip = chipOf(32, 16);
    refined += trafficOf(partitioned(graph, chip, PartitionAlgorithm::KernighanLin));
    greedy += trafficOf(partitioned(graph, chip, PartitionAlgorithm::Greedy));
    random += trafficOf(partitioned(graph, chip, PartitionAlgorithm::Random));
  }
  EXPECT_LT(refined, greedy);
  EXPECT_LT(greedy, random);
}

/// What one algorithm needs is not what the network needs.
TEST(Partition, AlgorithmsThatNeedMoreAreNamed) {
  int refused = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SpikingGraph graph = randomGraph(seed, {6, 12, 5, false});
    Chip chip = chipOf(8, 4);
    PartitionOptions options;
    options.algorithm = PartitionAlgorithm::Exact;
    if (decompose(graph, chip.crossbar).size() > 12)
      continue;
    size_t fewest = llvm::cantFail(partition(graph, chip, options)).clusters.size();
    options.algorithm = PartitionAlgorithm::Random;
    for (bool isChip : {false, true}) {
      if (isChip)
        chip.mesh = {uint32_t(fewest), 1};
      else
        options.crossbars = uint32_t(fewest);
      std::string error = toText(partition(graph, chip, options).takeError());
      if (!error.empty() && error.find("at least") == std::string::npos) {
        ++refused;
        EXPECT_EQ(error.find("chip.yaml: error: random needs "), 0u) << error;
        EXPECT_NE(error.find("; try another partition.algorithm, or "), std::string::npos) << error;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(Partition, RefusesNetworksLargerThanTheChip) {
  Chip chip = chipOf(16, 1); // one column: a crossbar per unit
  chip.mesh = {2, 1};
  chip.crossbarsPerTile = 2;
  SpikingGraph graph = randomGraph(1, {4, 5, 3, false});
  EXPECT_EQ(errorOf(graph, chip),
            "chip.yaml: error: the network needs at least 5 crossbars of 16x1, the chip has 4; use "
            "a larger "
            "mesh, more crossbars_per_tile or larger crossbars, or run it in loads with "
            "partition.multiplex: true");
  PartitionOptions options;
  options.multiplex = true;
  EXPECT_EQ(llvm::cantFail(partition(graph, chip, options)).clusters.size(), 5u);
  chip.mesh = {3, 1};
  EXPECT_EQ(errorOf(graph, chip), "no error");
}

/// Three layers, whose clusters drive each other in a circle where columns of several layers lie
/// together. On few crossbars no part that must be loaded at once is larger than them.
TEST(Partition, LayersLieApartWhereLoadsNeedIt) {
  uint32_t apart = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CounterRandom random(seed, 3);
    SpikingGraph graph;
    graph.samples = 1;
    graph.steps = 8;
    graph.populations = {{"input", PopulationKind::Input, {20}, 0, 20}};
    graph.offsets.assign(21, 0);
    graph.spikes.assign(20, 4);
    for (uint32_t layer = 0; layer < 3; ++layer) {
      uint32_t first = 20 + 40 * layer, before = layer == 0 ? 0 : first - 40;
      graph.populations.push_back(
          {"layer" + std::to_string(layer), PopulationKind::Neuron, {40}, first, 40});
      for (uint32_t n = 0; n < 40; ++n) {
        for (NeuronId source = before; source < first; ++source)
          if (random.below(8) == 0) {
            graph.sources.push_back(source);
            graph.weights.push_back(1);
          }
        graph.offsets.push_back(graph.sources.size());
        graph.spikes.push_back(random.below(9));
      }
    }
    Chip chip = chipOf(16, 6);
    chip.mesh = {2, 1};
    PartitionOptions options;
    options.algorithm = seed % 2 ? PartitionAlgorithm::FirstFit : PartitionAlgorithm::KernighanLin;
    options.multiplex = true;
    Clustering clustering = llvm::cantFail(partition(graph, chip, options));
    EXPECT_EQ(toText(verifyAgainst(graph, clustering)), "") << seed;
    for (const std::vector<ClusterId> &part : inseparableClusters(clustering))
      EXPECT_LE(part.size(), 2u) << seed;
    apart += clustering.algorithm == kLayersApart;
    options.multiplex = false;
    chip.mesh = {100, 100};
    EXPECT_NE(llvm::cantFail(partition(graph, chip, options)).algorithm, kLayersApart) << seed;
  }
  EXPECT_EQ(apart, 10u); // first fit follows the order of the layers
}

TEST(Partition, RefusesCrossbarsWithoutRowsOrColumns) {
  SpikingGraph graph = randomGraph(1);
  EXPECT_EQ(errorOf(graph, chipOf(0, 8)), "chip.yaml: error: a crossbar of 0x8 holds no neuron, "
                                          "expected at least one row and one column");
  EXPECT_EQ(errorOf(graph, chipOf(8, 0)), "chip.yaml: error: a crossbar of 8x0 holds no neuron, "
                                          "expected at least one row and one column");
}

TEST(Partition, RefusesNetworksWithoutNeurons) {
  SpikingGraph graph;
  graph.populations = {{"input", PopulationKind::Input, {2}, 0, 2}};
  graph.spikes = {1, 1};
  graph.offsets = {0, 0, 0};
  EXPECT_EQ(errorOf(graph, chipOf(8, 8)), "spiking graph: error: no population of neurons to place "
                                          "on the chip, only inputs");
}

TEST(Partition, RefusesBrokenGraphs) {
  SpikingGraph graph = randomGraph(1);
  graph.weights.pop_back();
  EXPECT_THAT(errorOf(graph, chipOf(8, 8), ErrorKind::Check), testing::HasSubstr("weights for"));
}

TEST(PartitionOptions, ReadsYaml) {
  auto read = [](const std::string &text, PartitionOptions &options) {
    llvm::Expected<YamlDocument> document = YamlDocument::parse(text, "flow.yaml");
    if (!document)
      return toText(document.takeError());
    YamlReader reader(*document);
    readPartitionOptions(reader, options);
    return toText(reader.finish());
  };
  PartitionOptions options;
  EXPECT_EQ(read("{algorithm: kernighan_lin, seed: 7, passes: 3}", options), "");
  EXPECT_EQ(options.algorithm, PartitionAlgorithm::KernighanLin);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.passes, 3u);
  EXPECT_EQ(read("{algorithm: random}", options), "");
  EXPECT_EQ(options.algorithm, PartitionAlgorithm::Random);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_THAT(read("{algorithm: best}", options), testing::HasSubstr("metis"));
  EXPECT_THAT(read("{passes: -1}", options), testing::HasSubstr("flow.yaml:1:10"));
}

} // namespace
