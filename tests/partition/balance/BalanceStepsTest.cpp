// Crossbars that are equally busy in every step: a known optimum, and random networks.
#include "core/chip/work/StepWork.h"
#include "lib/partition/Partition.h"
#include "lib/partition/VerifyClustering.h"
#include "tests/partition/balance/RecordedNetwork.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

Clustering fastest(const RecordedNetwork &network, const Chip &chip, uint32_t crossbars,
                   bool knowsSteps) {
  PartitionOptions options;
  options.objective = PartitionObjective::Time;
  options.crossbars = crossbars;
  options.columnOrder = ColumnOrder::SpikesFirst;
  Clustering made = llvm::cantFail(
      partition(network.graph, chip, options, knowsSteps ? &network.trace : nullptr));
  EXPECT_EQ(toText(verifyAgainst(network.graph, made)), "");
  EXPECT_LE(made.clusters.size(), crossbars);
  return made;
}

double cyclesOf(const RecordedNetwork &network, const Chip &chip, const Clustering &clustering) {
  std::vector<ClusterId> clusterOf;
  for (const Unit &unit : clustering.units)
    clusterOf.push_back(unit.cluster);
  return network.cyclesPerSample(clustering.units, clusterOf, chip);
}

Chip readingChip(uint32_t rows, uint32_t columns) {
  Chip chip = chipOf(rows, columns);
  chip.mesh = {4, 4};
  chip.crossbarsPerTile = 4;
  chip.latency.rowReadCycles = {10, "test"};
  chip.latency.synapseCycles = {3, "test"};
  chip.latency.neuronUpdateCycles = {1, "test"};
  return chip;
}

/// 16 neurons, each with an input of its own. Half of the inputs spike in even steps, the others in
/// odd ones, so that crossbars with the same work in all may be busy by turns. Best are four of
/// each half in either: four rows and cells in every step.
TEST(BalanceSteps, FindsHalvesThatAreBusyTogether) {
  RecordedNetwork network;
  network.graph.populations = {{"in", PopulationKind::Input, {16}, 0, 16},
                               {"layer", PopulationKind::Neuron, {16}, 16, 16}};
  network.graph.spikes.assign(32, 0);
  network.graph.offsets.assign(17, 0);
  for (NeuronId n = 0; n < 16; ++n) {
    network.graph.sources.push_back(n);
    network.graph.weights.push_back(1);
    network.graph.offsets.push_back(n + 1);
  }
  network.trace.populations = network.graph.populations;
  network.trace.steps = 8;
  network.trace.recorded.resize(1);
  for (uint32_t step = 0; step < 8; ++step)
    for (NeuronId n = 0; n < 8; ++n)
      network.trace.recorded[0].push_back({step, n + 8 * (step % 2)});
  network.count();
  ASSERT_EQ(toText(verify(network.graph)), "");
  Chip chip = readingChip(16, 16);
  Clustering made = fastest(network, chip, 2, true);
  EXPECT_EQ(made.clusters.size(), 2u);
  EXPECT_EQ(cyclesOf(network, chip, made), 8 * 4 * (10 + 3));
}

/// Where rows are plenty, and where they are tight; in steps that are all balanced, and in ones of
/// which a few stand for many. Never slower by all of them.
TEST(BalanceSteps, RandomNetworksBecomeFaster) {
  double before = 0, after = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    RecordedNetwork network =
        RecordedNetwork::random(seed, {10, 60, 20, seed % 2 == 0}, 2, seed % 4 == 0 ? 60 : 12);
    Chip chip = readingChip(seed % 3 == 0 ? 20 : 64, 24);
    uint32_t crossbars = seed % 3 == 0 ? 60 : 6;
    auto cycles = [&](const Clustering &made) {
      return llvm::cantFail(stepWork(made, network.trace, chip, &network.graph)).cycles;
    };
    double known = cycles(fastest(network, chip, crossbars, true));
    double unknown = cycles(fastest(network, chip, crossbars, false));
    EXPECT_LE(known, unknown) << seed;
    before += unknown;
    after += known;
  }
  EXPECT_LT(after, 0.99 * before);
}

/// From three tiles on a barrier takes as long as a hundred steps: nothing that crossbars save.
TEST(BalanceSteps, KeepToAShorterBarrier) {
  RecordedNetwork network = RecordedNetwork::random(4, {10, 60, 20, false}, 2, 12);
  Chip chip = readingChip(64, 24);
  Clustering wide = fastest(network, chip, 64, true);
  EXPECT_GT(wide.clusters.size(), 8u);
  chip.latency.barrierLevels = {{1, 10}, {3, 100'000}};
  EXPECT_LE(fastest(network, chip, 64, true).clusters.size(), 8u);
  // All of them take the same: as if there were one.
  chip.latency.barrierLevels = {{1, 10}, {3, 10}};
  EXPECT_EQ(fastest(network, chip, 64, true).units, wide.units);
}

/// Spikes of other neurons, steps or samples would be read where there are none.
TEST(BalanceSteps, SpikesOfAnotherRunAreRefused) {
  RecordedNetwork network = RecordedNetwork::random(1, {6, 24, 8, true}, 2, 6);
  Chip chip = readingChip(64, 24);
  PartitionOptions options;
  options.objective = PartitionObjective::Time;
  const char *refused = "spike trace: error: is of another run than the spiking graph; make both "
                        "again: --from emulate";
  SpikeTrace more = RecordedNetwork::random(2, {6, 25, 8, true}, 2, 6).trace;
  EXPECT_EQ(toText(partition(network.graph, chip, options, &more).takeError()), refused);
  SpikeTrace longer = RecordedNetwork::random(1, {6, 24, 8, true}, 2, 7).trace;
  EXPECT_EQ(toText(partition(network.graph, chip, options, &longer).takeError()), refused);
  SpikeTrace samples = RecordedNetwork::random(1, {6, 24, 8, true}, 3, 6).trace;
  EXPECT_EQ(toText(partition(network.graph, chip, options, &samples).takeError()), refused);
  options.multiplex = true; // loads are not balanced
  EXPECT_EQ(toText(partition(network.graph, chip, options, &more).takeError()), "");
}

} // namespace
