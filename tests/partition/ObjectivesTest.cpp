// What a partition is asked to be good at, and how many crossbars it may use.
#include "core/chip/work/CrossbarWork.h"
#include "core/chip/work/Forecast.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/packing/BuildClustering.h"
#include "tests/partition/RandomGraph.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// Rows and cells that take time, as on a chip that works them one by one.
Chip timedChip(uint32_t rows, uint32_t columns) {
  Chip chip = chipOf(rows, columns);
  chip.clockMhz.value = 1000;
  chip.latency.rowReadCycles = {10, "test"};
  chip.latency.synapseCycles = {3, "test"};
  chip.latency.synapseKindCycles[size_t(SynapseKind::Dense)] = {1, "test"};
  chip.latency.synapseKindCycles[size_t(SynapseKind::Convolution)] = {7, "test"};
  chip.energy.synapseKindPj[size_t(SynapseKind::Sparse)] = {9, "test"};
  chip.latency.neuronUpdateCycles = {5, "test"};
  chip.latency.partialSumCycles = {2, "test"};
  chip.energy.axonOutPj = {50, "test"};
  chip.energy.leakageTileMw = {0.5, "test"};
  return chip;
}

llvm::Expected<Clustering>
tryPartition(const SpikingGraph &graph, const Chip &chip, PartitionObjective objective,
             uint32_t crossbars = 0,
             PartitionAlgorithm algorithm = PartitionAlgorithm::KernighanLin) {
  PartitionOptions options;
  options.algorithm = algorithm;
  options.objective = objective;
  options.crossbars = crossbars;
  return partition(graph, chip, options);
}

Clustering partitioned(const SpikingGraph &graph, const Chip &chip, PartitionObjective objective,
                       uint32_t crossbars = 0,
                       PartitionAlgorithm algorithm = PartitionAlgorithm::KernighanLin) {
  llvm::Expected<Clustering> made = tryPartition(graph, chip, objective, crossbars, algorithm);
  if (!made) {
    ADD_FAILURE() << toText(made.takeError());
    return {};
  }
  EXPECT_EQ(toText(verifyAgainst(graph, *made)), "");
  return std::move(*made);
}

/// The work that a packing keeps incrementally is what the clustering adds up to, and stays within
/// the limit, for every algorithm.
TEST(PackingWork, IsCountedAndLimited) {
  Strategy *strategies[] = {packGreedily, packAtRandom, refineByKernighanLin, partitionByMetis};
  uint32_t limited = 0;
  for (uint64_t seed = 0; seed < 18; ++seed) {
    SpikingGraph graph = randomGraph(seed, {6, 40, 20, seed % 2 == 0});
    Chip chip = timedChip(12, 8);
    std::vector<Unit> units = decompose(graph, chip.crossbar);
    Hypergraph hypergraph = buildHypergraph(graph, units);
    PackingRules rules = chip.crossbar;
    rules.latency = chip.latency;
    rules.steps = double(graph.samples) * graph.steps;
    double largest = 0;
    for (VertexId v = 0; v < hypergraph.vertices(); ++v)
      largest = std::max(largest, workCycles(workOf(hypergraph, v, rules.steps), chip.latency));
    for (double slack : {1.0, 1.5, 100.0}) {
      rules.mostCycles = largest * slack;
      for (Strategy *strategy : strategies) {
        Packing packing = llvm::cantFail(strategy(hypergraph, rules, {}));
        Clustering clustering = buildClustering(graph, units, packing.assignment(), chip.crossbar);
        std::vector<CrossbarWork> counted = workOf(clustering);
        for (UnitId u = 0; u < units.size(); ++u) {
          ClusterId c = packing.clusterOf(u);
          EXPECT_EQ(packing.work(c), counted[clustering.units[u].cluster]);
        }
        for (const CrossbarWork &work : counted)
          EXPECT_LE(workCycles(work, chip.latency), rules.mostCycles);
        limited += slack == 1.0 && packing.clusters() > (units.size() + chip.crossbar.columns - 1) /
                                                            chip.crossbar.columns;
      }
    }
  }
  EXPECT_GT(limited, 60u) << "the limit never mattered";
}

TEST(Objectives, EachIsBestAtWhatItIsFor) {
  uint32_t faster = 0, fewer = 0;
  double quicker = 0, widest = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SpikingGraph graph = randomGraph(seed, {10, 80, 16, false});
    Chip chip = timedChip(40, 40);
    Clustering traffic = partitioned(graph, chip, PartitionObjective::Traffic);
    Clustering time = partitioned(graph, chip, PartitionObjective::Time);
    Clustering energy = partitioned(graph, chip, PartitionObjective::Energy);
    Clustering crossbars = partitioned(graph, chip, PartitionObjective::Crossbars);
    Forecast ofTraffic = forecast(traffic, chip), ofTime = forecast(time, chip);
    EXPECT_LE(ofTime.cycles, ofTraffic.cycles * 1.005);
    EXPECT_LE(forecast(energy, chip).pj, ofTraffic.pj * 1.005);
    EXPECT_LE(crossbars.clusters.size(), traffic.clusters.size());
    faster += ofTime.cycles < ofTraffic.cycles;
    fewer += crossbars.clusters.size() < traffic.clusters.size();
    quicker += ofTime.cycles;
    widest += ofTraffic.cycles;
  }
  EXPECT_GT(faster, 6u);
  EXPECT_LT(quicker, 0.7 * widest);
  (void)fewer; // growth often finds the fewest already
}

TEST(Objectives, MoreCrossbarsAreNeverSlower) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SpikingGraph graph = randomGraph(seed, {10, 80, 16, false});
    Chip chip = timedChip(60, 40);
    double before = std::numeric_limits<double>::infinity();
    for (uint32_t crossbars : {4u, 8u, 16u, 32u}) {
      Clustering made = partitioned(graph, chip, PartitionObjective::Time, crossbars);
      EXPECT_LE(made.clusters.size(), crossbars);
      double cycles = forecast(made, chip).cycles;
      EXPECT_LE(cycles, before * 1.02) << crossbars << " crossbars, seed " << seed;
      before = cycles;
    }
  }
}

TEST(Objectives, EveryAlgorithmUsesMoreCrossbarsForTime) {
  SpikingGraph graph = randomGraph(3, {10, 80, 16, false});
  Chip chip = timedChip(60, 40);
  for (PartitionAlgorithm algorithm : {PartitionAlgorithm::KernighanLin, PartitionAlgorithm::Metis,
                                       PartitionAlgorithm::Greedy, PartitionAlgorithm::Random})
    EXPECT_LT(
        forecast(partitioned(graph, chip, PartitionObjective::Time, 0, algorithm), chip).cycles,
        forecast(partitioned(graph, chip, PartitionObjective::Traffic, 0, algorithm), chip).cycles);
}

TEST(Objectives, RefuseMoreCrossbarsThanAllowed) {
  SpikingGraph graph = randomGraph(1, {4, 5, 3, false});
  Chip chip = chipOf(16, 1); // one column: a crossbar per unit
  chip.mesh = {3, 2};
  EXPECT_EQ(toText(tryPartition(graph, chip, PartitionObjective::Traffic, 4).takeError()),
            "chip.yaml: error: the network needs at least 5 crossbars of 16x1, partition.crossbars "
            "allows "
            "4; set crossbars: 5, or all for the 6 of the chip");
}

TEST(Objectives, AreReadFromYaml) {
  auto read = [](const std::string &text, PartitionOptions &options) {
    llvm::Expected<YamlDocument> document = YamlDocument::parse(text, "flow.yaml");
    if (!document)
      return toText(document.takeError());
    YamlReader reader(*document);
    readPartitionOptions(reader, options);
    return toText(reader.finish());
  };
  PartitionOptions options;
  EXPECT_EQ(read("{objective: time, crossbars: 96, fan_in: {sums: vector}}", options), "");
  EXPECT_EQ(options.objective, PartitionObjective::Time);
  EXPECT_EQ(options.crossbars, 96u);
  EXPECT_EQ(options.sums, PartialSums::Vector);
  EXPECT_EQ(read("fan_in: {sums: tile}", options), "");
  EXPECT_EQ(options.sums, PartialSums::Tile);
  EXPECT_EQ(options.shape, FanInShape::Rows);
  EXPECT_EQ(read("fan_in: {shape: tree}", options), "");
  EXPECT_EQ(options.shape, FanInShape::Tree);
  EXPECT_EQ(read("{objective: crossbars, crossbars: all}", options), "");
  EXPECT_EQ(options.objective, PartitionObjective::Crossbars);
  EXPECT_EQ(options.crossbars, 0u);
  EXPECT_EQ(options.order(), ColumnOrder::Neurons);
  EXPECT_EQ(read("{objective: time}", options), "");
  EXPECT_FALSE(options.columnOrder); // what is faster in the recorded steps
  EXPECT_EQ(read("{column_order: neurons}", options), "");
  EXPECT_EQ(options.order(), ColumnOrder::Neurons);
  EXPECT_EQ(read("{objective: traffic, column_order: spikes_first}", options), "");
  EXPECT_EQ(options.order(), ColumnOrder::SpikesFirst);
  EXPECT_EQ(read("{column_order: busy}", options),
            "flow.yaml:1:16: error: column_order is 'busy', expected neurons or spikes_first");
  EXPECT_EQ(read("{objective: time, packet_weight: 1}", options), "");
  EXPECT_EQ(options.packetWeight, 1);
  EXPECT_THAT(read("{packet_weight: -1}", options), testing::HasSubstr("flow.yaml:1:17: error:"));
  EXPECT_EQ(read("{crossbars: most}", options),
            "flow.yaml:1:13: error: crossbars is 'most', expected a number of at least 1, or all");
  EXPECT_EQ(read("{crossbars: 0}", options),
            "flow.yaml:1:13: error: crossbars is '0', expected a number of at least 1, or all");
  EXPECT_THAT(read("{objective: speed}", options),
              testing::AllOf(testing::HasSubstr("flow.yaml:1:13: error:"),
                             testing::HasSubstr("traffic"), testing::HasSubstr("crossbars")));
  EXPECT_THAT(read("{fan_in: {shape: triples}}", options),
              testing::AllOf(testing::HasSubstr("flow.yaml:1:18: error:"),
                             testing::HasSubstr("rows"), testing::HasSubstr("tree")));
  EXPECT_THAT(read("{fan_in: {sums: tiles}}", options),
              testing::AllOf(testing::HasSubstr("flow.yaml:1:17: error:"),
                             testing::HasSubstr("packets"), testing::HasSubstr("vector")));
}

TEST(Objectives, EnergyNeedsPrices) {
  PartitionOptions options;
  options.objective = PartitionObjective::Energy;
  EXPECT_EQ(toText(partition(randomGraph(1), chipOf(16, 8), options).takeError()),
            "chip.yaml: error: partition.objective energy needs prices of energy, and the chip has "
            "none; add a section energy, or choose time or traffic");
}

} // namespace
