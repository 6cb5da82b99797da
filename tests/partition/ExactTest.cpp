// The exact search against all partitions, and as the oracle of the heuristics.
#include "lib/partition/Compare.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/bounds/PartitionBounds.h"
#include "tests/partition/ExhaustivePartitions.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "gmock/gmock.h"

using namespace spindle;

namespace {

constexpr size_t kMostClusters = 9;

struct Judged {
  PartitionFigures figures;
  uint64_t cost = 0; // what the search minimises: two for a delivery, one for a row
};

Judged judged(const SpikingGraph &graph, const Chip &chip, PartitionAlgorithm algorithm) {
  PartitionOptions options;
  options.algorithm = algorithm;
  llvm::Expected<Clustering> clustering = partition(graph, chip, options);
  if (!clustering) {
    ADD_FAILURE() << toText(clustering.takeError());
    return {};
  }
  EXPECT_EQ(toText(verifyAgainst(graph, *clustering)), "");
  Judged result{figuresOf(*clustering, chip)};
  result.cost = 2 * result.figures.deliveries;
  for (const Cluster &cluster : clustering->clusters)
    result.cost += cluster.axons.size();
  return result;
}

/// Of many shapes: sparse and dense, with and without circles, chains of partial sums.
SpikingGraph someGraph(uint64_t seed, uint32_t mostNeurons) {
  CounterRandom random(seed, 21);
  uint32_t neurons = 2 + random.below(mostNeurons - 1);
  return randomGraph(seed, {random.below(8), neurons, 1 + random.below(8), seed % 2 == 0});
}

Chip someChip(uint64_t seed) {
  CounterRandom random(seed, 22);
  Chip chip = chipOf(3 + random.below(6), 1 + random.below(5));
  chip.latency.rowReadCycles = {double(1 + random.below(10)), "test"};
  chip.latency.synapseCycles = {double(random.below(3)), "test"};
  chip.latency.synapseKindCycles[size_t(SynapseKind::Dense)] = {double(random.below(5)), "test"};
  chip.latency.neuronUpdateCycles = {double(random.below(30)), "test"};
  return chip;
}

/// Calls `check` with so many networks of at most eight columns and all of their partitions.
void forSmallNetworks(
    uint32_t count,
    llvm::function_ref<void(const SpikingGraph &, const Chip &, const ExhaustivePartitions &)>
        check) {
  uint32_t networks = 0;
  for (uint64_t seed = 0; networks < count; ++seed) {
    SpikingGraph graph = someGraph(seed, 8);
    Chip chip = someChip(seed);
    std::vector<Unit> units = decompose(graph, chip.crossbar);
    if (units.size() > 8)
      continue;
    ++networks;
    SCOPED_TRACE(seed);
    check(graph, chip, ExhaustivePartitions(graph, units, chip.crossbar));
  }
}

TEST(ExactPartition, IsTheBestOfAllPartitions) {
  forSmallNetworks(150, [](const SpikingGraph &graph, const Chip &chip, const auto &all) {
    EXPECT_EQ(judged(graph, chip, PartitionAlgorithm::Exact).cost, all.leastCost);
  });
}

/// Every bound is below the least of all partitions, and reaches it often enough to be of use.
TEST(PartitionBounds, AreBelowAllPartitions) {
  constexpr uint32_t networks = 300;
  uint32_t sameClusters = 0, sameTraffic = 0;
  forSmallNetworks(networks, [&](const SpikingGraph &graph, const Chip &chip, const auto &all) {
    uint32_t fewest = all.leastTraffic.begin()->first;
    PartitionBounds bounds = llvm::cantFail(boundPartitions(graph, chip, {}));
    EXPECT_LE(bounds.clusters(), fewest);
    EXPECT_LE(bounds.deliveries, all.leastOfAllTraffic);
    sameClusters += bounds.clusters() == fewest;
    sameTraffic += bounds.deliveries == all.leastOfAllTraffic;
  });
  EXPECT_GT(sameClusters, networks / 2);
  EXPECT_GT(sameTraffic, networks / 10);
}

/// Parts of a neuron that lie in one crossbar exchange no packets.
TEST(PartitionBounds, AreBelowDividedNeuronsOfAllShapes) {
  uint32_t divided = 0;
  for (FanInShape shape : {FanInShape::Rows, FanInShape::Pairs, FanInShape::Tree})
    for (uint64_t seed = 0; seed < 150; ++seed) {
      SpikingGraph graph = someGraph(seed, 12);
      Chip chip = someChip(seed);
      PartitionOptions options;
      options.shape = shape;
      PartitionBounds bounds = llvm::cantFail(boundPartitions(graph, chip, options));
      for (PartitionAlgorithm algorithm :
           {PartitionAlgorithm::KernighanLin, PartitionAlgorithm::Greedy}) {
        options.algorithm = algorithm;
        PartitionFigures found = figuresOf(llvm::cantFail(partition(graph, chip, options)), chip);
        EXPECT_GE(found.clusters, bounds.clusters()) << seed;
        EXPECT_GE(found.deliveries, bounds.deliveries) << seed;
        EXPECT_GE(found.partialSums, bounds.partialSums) << seed;
        EXPECT_GE(found.slowestCycles, bounds.slowestCycles * (1 - 1e-12)) << seed;
        divided += shape != FanInShape::Rows && found.partialSums > 0;
      }
    }
  EXPECT_GT(divided, 100u);
}

/// Up to 12 columns and 9 clusters.
TEST(ExactPartition, HeuristicsComeWithinTwoPercent) {
  constexpr PartitionAlgorithm algorithms[] = {
      PartitionAlgorithm::KernighanLin, PartitionAlgorithm::Annealing,
      PartitionAlgorithm::Metis,        PartitionAlgorithm::Greedy,
      PartitionAlgorithm::Random,       PartitionAlgorithm::FirstFit};
  std::map<PartitionAlgorithm, double> over;
  uint32_t networks = 0, large = 0;
  for (uint64_t seed = 0; networks < 1000; ++seed) {
    SpikingGraph graph = someGraph(seed, 12);
    Chip chip = someChip(seed);
    size_t columns = decompose(graph, chip.crossbar).size();
    if (columns > kExactUnits)
      continue;
    Judged exact = judged(graph, chip, PartitionAlgorithm::Exact);
    if (exact.figures.clusters > kMostClusters || exact.cost == 0)
      continue;
    ++networks;
    large += columns > 8;
    PartitionBounds bounds = llvm::cantFail(boundPartitions(graph, chip, {}));
    EXPECT_GE(exact.figures.deliveries, bounds.deliveries) << seed;
    for (PartitionAlgorithm algorithm : algorithms) {
      Judged found = judged(graph, chip, algorithm);
      EXPECT_GE(found.cost, exact.cost) << "less than possible, seed " << seed;
      EXPECT_GE(found.figures.clusters, bounds.clusters()) << seed;
      EXPECT_GE(found.figures.deliveries, bounds.deliveries) << seed;
      EXPECT_GE(found.figures.slowestCycles, bounds.slowestCycles * (1 - 1e-12)) << seed;
      EXPECT_EQ(found.figures.partialSums, bounds.partialSums) << seed;
      over[algorithm] += double(found.cost) / double(exact.cost) - 1;
    }
  }
  EXPECT_GT(large, networks / 4);
  EXPECT_LE(over[PartitionAlgorithm::KernighanLin] / networks, 0.02);
  EXPECT_LE(over[PartitionAlgorithm::Annealing] / networks, 0.02);
  EXPECT_LE(over[PartitionAlgorithm::Metis] / networks, 0.02);
  EXPECT_GT(over[PartitionAlgorithm::FirstFit], over[PartitionAlgorithm::KernighanLin]);
  for (PartitionAlgorithm algorithm : algorithms)
    RecordProperty(std::string("over_exact_") + kAlgorithmNames[size_t(algorithm)],
                   std::to_string(over[algorithm] / networks));
}

TEST(ExactPartition, RefusesNetworksThatTakeTooLong) {
  SpikingGraph graph = randomGraph(1, {4, 13, 3, false});
  PartitionOptions options;
  options.algorithm = PartitionAlgorithm::Exact;
  llvm::Expected<Clustering> clustering = partition(graph, chipOf(8, 4), options);
  ASSERT_FALSE(bool(clustering));
  EXPECT_EQ(toText(clustering.takeError()),
            "spiking graph: error: the algorithm exact tries all partitions of at most 12 columns, "
            "the network takes 13; use kernighan_lin");
}

} // namespace
