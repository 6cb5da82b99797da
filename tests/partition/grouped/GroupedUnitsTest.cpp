// Groups of units are partitioned as the units would be: counted on graphs with every synapse
// listed.
#include "lib/partition/grouped/GroupedUnits.h"

#include "lib/partition/Compare.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/bounds/PartitionBounds.h"
#include "lib/partition/grouped/VerifySample.h"
#include "lib/partition/limits/VerifyLimits.h"
#include "lib/partition/packing/BuildClustering.h"
#include "lib/partition/packing/FreeVertices.h"
#include "tests/partition/SharedGraph.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

/// A chip with room for divided fan-ins, groups of several units among its columns.
Chip randomChip(uint64_t seed) {
  CounterRandom random(seed, 12);
  return chipOf(3 + random.below(40), 8 + random.below(40));
}

FanInShape shapeFor(uint64_t seed) { return seed % 2 == 0 ? FanInShape::Rows : FanInShape::Tree; }

TEST(GroupedUnits, CountWhatTheirUnitsCount) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SpikingGraph graph = randomSharedGraph(seed), single = listed(graph);
    ASSERT_EQ(toText(verify(graph)), "") << "seed " << seed;
    Chip chip = randomChip(seed);
    std::vector<Unit> units = decompose(graph, chip.crossbar, shapeFor(seed));
    ASSERT_EQ(units, decompose(single, chip.crossbar, shapeFor(seed)));
    GroupedUnits groups(graph, units, chip.crossbar, shapeFor(seed));
    Hypergraph ofUnits = buildHypergraph(single, units);

    // Groups in random clusters, as far as they fit, and their units in the same.
    CounterRandom random(seed, 13);
    PackingRules rules(chip.crossbar);
    rules.steps = double(graph.samples) * graph.steps;
    Packing packing(groups.hypergraph(), rules);
    for (VertexId v = 0; v < groups.hypergraph().vertices(); ++v) {
      ClusterId c = packing.clusters() == 0 ? packing.open() : random.below(packing.clusters());
      packing.place(v, packing.fits(v, packing.offer(v, c)) ? c : packing.open());
    }
    Clustering clustering = groups.cluster(packing);
    clustering.shape = shapeFor(seed);
    std::vector<ClusterId> clusterOf;
    for (const Unit &unit : clustering.units)
      clusterOf.push_back(unit.cluster);
    Clustering expected = buildClustering(single, units, clusterOf, chip.crossbar);
    expected.shape = clustering.shape;
    EXPECT_EQ(clustering, expected) << "seed " << seed;
    EXPECT_EQ(toText(verifyAgainst(single, clustering)), "") << "seed " << seed;
    EXPECT_EQ(toText(verifySample(graph, clustering, 1000)), "") << "seed " << seed;

    Packing apart(ofUnits, rules);
    while (apart.clusters() < clustering.clusters.size())
      apart.open();
    for (UnitId u = 0; u < units.size(); ++u)
      apart.place(u, clusterOf[u]);
    EXPECT_EQ(packing.traffic(), apart.traffic()) << "seed " << seed;
    EXPECT_EQ(packing.cost(), apart.cost()) << "seed " << seed;
    uint64_t reads = 0, sums = 0;
    for (ClusterId c = 0; c < packing.clusters(); ++c) {
      reads += uint64_t(packing.work(c).rowReads + packing.work(c).cells.all());
      sums += uint64_t(packing.work(c).partialSums);
    }
    uint64_t unitReads = 0, unitSums = 0;
    for (ClusterId c = 0; c < apart.clusters(); ++c) {
      unitReads += uint64_t(apart.work(c).rowReads + apart.work(c).cells.all());
      unitSums += uint64_t(apart.work(c).partialSums);
    }
    EXPECT_EQ(reads, unitReads) << "seed " << seed;
    EXPECT_EQ(sums, unitSums) << "seed " << seed;
  }
}

/// Neurons that the host drives, 4 channels of 36 pixels: all have the empty list, but those of a
/// pixel the same readers.
TEST(GroupedUnits, KeepNeuronsWithTheSameReadersTogether) {
  constexpr uint32_t kPixels = 36, kChannels = 4;
  SpikingGraph graph;
  graph.populations = {
      {"first", PopulationKind::Neuron, {kChannels, kPixels}, 0, kPixels * kChannels},
      {"second", PopulationKind::Neuron, {1, kPixels}, kPixels * kChannels, kPixels}};
  graph.samples = graph.steps = 1;
  graph.spikes.assign(kPixels * (kChannels + 1), 1);
  graph.offsets = {0, 0};
  graph.lists.assign(kPixels * kChannels, 0);
  for (uint32_t pixel = 0; pixel < kPixels; ++pixel) {
    for (uint32_t channel = 0; channel < kChannels; ++channel)
      graph.sources.push_back(channel * kPixels + pixel);
    graph.offsets.push_back(graph.sources.size());
    graph.lists.push_back(1 + pixel);
  }
  graph.projections = {{0, 1, SynapseKind::Convolution}};
  graph.restless = {0, 0};
  ASSERT_EQ(toText(verify(graph)), "");
  Chip chip = chipOf(64, 8 * 10); // groups of 10: two pixels, not two and a half
  std::vector<Unit> units = decompose(graph, chip.crossbar, FanInShape::Rows);
  GroupedUnits groups(graph, units, chip.crossbar, FanInShape::Rows);
  EXPECT_EQ(groups.hypergraph().vertices(), kPixels / 2 + kPixels);
  EXPECT_EQ(groups.hypergraph().nets(), kPixels);
  EXPECT_THAT(groups.hypergraph().width, ::testing::Each(kChannels));
}

/// What no partition can be below is the same, however the synapses are listed.
TEST(GroupedUnits, HaveTheBoundsOfTheirUnits) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SpikingGraph graph = randomSharedGraph(seed);
    Chip chip = randomChip(seed);
    chip.latency.rowReadCycles = {2, "by hand"};
    chip.latency.synapseCycles = {seed % 3 * 1.0, "by hand"};
    chip.latency.neuronUpdateCycles = {3, "by hand"};
    PartitionOptions options;
    options.shape = shapeFor(seed);
    PartitionBounds bounds = llvm::cantFail(boundPartitions(graph, chip, options));
    PartitionBounds ofUnits = llvm::cantFail(boundPartitions(listed(graph), chip, options));
    EXPECT_EQ(bounds.columns, ofUnits.columns) << "seed " << seed;
    EXPECT_EQ(bounds.synapses, ofUnits.synapses) << "seed " << seed;
    EXPECT_EQ(bounds.rows, ofUnits.rows) << "seed " << seed;
    EXPECT_EQ(bounds.deliveries, ofUnits.deliveries) << "seed " << seed;
    EXPECT_EQ(bounds.partialSums, ofUnits.partialSums) << "seed " << seed;
    EXPECT_NEAR(bounds.slowestCycles, ofUnits.slowestCycles, 1e-9 * ofUnits.slowestCycles)
        << "seed " << seed;
    Clustering clustering = llvm::cantFail(partitionFreely(graph, chip, options));
    PartitionFigures figures = figuresOf(clustering, chip);
    EXPECT_LE(bounds.clusters(), figures.clusters) << "seed " << seed;
    EXPECT_LE(bounds.deliveries, figures.deliveries) << "seed " << seed;
    EXPECT_LE(bounds.slowestCycles, figures.slowestCycles * (1 + 1e-9)) << "seed " << seed;
  }
}

TEST(FreeVertices, FirstThatFitsIsThatOfALookAtEach) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CounterRandom random(seed, 3);
    uint32_t count = random.below(70);
    std::vector<uint32_t> rows(count), columns(count);
    for (uint32_t v = 0; v < count; ++v) {
      rows[v] = random.below(9);
      columns[v] = random.below(9);
    }
    FreeVertices free(rows, columns);
    std::vector<char> isLeft(count, true);
    for (uint32_t question = 0; question < 2 * count + 2; ++question) {
      uint32_t mostRows = random.below(9), mostColumns = random.below(9), odd = random.below(2);
      auto accepts = [&](VertexId v) { return v % 2 == odd; };
      VertexId expected = kNone;
      for (VertexId v = 0; v < count && expected == kNone; ++v)
        if (isLeft[v] && rows[v] <= mostRows && columns[v] <= mostColumns && accepts(v))
          expected = v;
      EXPECT_EQ(free.first(mostRows, mostColumns, accepts), expected) << "seed " << seed;
      if (expected != kNone && random.below(2) == 0) {
        free.remove(expected);
        isLeft[expected] = false;
      }
    }
  }
}

TEST(GroupedUnits, EveryAlgorithmAndObjectiveKeepsTheLimits) {
  for (uint64_t seed = 0; seed < 72; ++seed) { // each with each, three times
    SpikingGraph graph = randomSharedGraph(seed), single = listed(graph);
    Chip chip = randomChip(seed);
    chip.energy.axonOutPj = {3, "by hand"};
    chip.energy.hopXPj = {1, "by hand"};
    PartitionOptions options;
    options.algorithm = static_cast<PartitionAlgorithm>(seed % 6);
    options.objective = static_cast<PartitionObjective>(seed / 6 % 4);
    options.shape = shapeFor(seed);
    Clustering clustering = llvm::cantFail(partition(graph, chip, options));
    EXPECT_EQ(toText(verifyAgainst(single, clustering)), "") << "seed " << seed;
  }
}

/// Groups are no worse than what is left where every unit has a choice of its own.
TEST(GroupedUnits, CostHardlyMoreThanUnits) {
  double shared = 0, apart = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SpikingGraph graph = randomSharedGraph(seed);
    Chip chip = randomChip(seed);
    for (bool isShared : {true, false}) {
      Clustering clustering =
          llvm::cantFail(partition(isShared ? graph : listed(graph), chip, PartitionOptions()));
      for (const ClusterLink &link : clustering.links)
        (isShared ? shared : apart) += double(link.spikes);
    }
  }
  EXPECT_LE(shared, 1.05 * apart);
}

/// Limits of cores that any column of the graph keeps by itself, and hardly more.
CoreLimits tightLimits(const SpikingGraph &graph, const Chip &chip, uint64_t seed) {
  CounterRandom random(seed, 23);
  CoreLimits core;
  core.wordBits = (1 + random.below(3)) * chip.crossbar.weightBits;
  core.axonsPer = random.below(2) == 0 ? AxonsPer::Source : AxonsPer::Population;
  uint32_t perWord = core.wordBits / chip.crossbar.weightBits, most = 1;
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    most = std::max(most, std::min(graph.fanIn(n), chip.crossbar.rows));
  uint64_t words = (most + perWord - 1) / perWord;
  if (random.below(3) > 0)
    core.synapseWords = {double(words * (1 + random.below(4))), "by hand"};
  if (random.below(3) > 0)
    core.axons = {double((core.axonsPer == AxonsPer::Source ? most : 4) + random.below(4)),
                  "by hand"};
  if (random.below(2) > 0)
    core.fanIn = {double(most), "by hand"};
  return core;
}

/// What others count synapse by synapse, and what would be broken without the limits.
TEST(GroupedUnits, EveryAlgorithmKeepsTheLimitsOfCores) {
  unsigned broken = 0;
  for (uint64_t seed = 0; seed < 48; ++seed) { // each with each, twice
    SpikingGraph graph = randomSharedGraph(seed), single = listed(graph);
    Chip chip = randomChip(seed);
    chip.energy.axonOutPj = {3, "by hand"};
    PartitionOptions options;
    options.algorithm = static_cast<PartitionAlgorithm>(seed % 6);
    options.objective = static_cast<PartitionObjective>(seed / 6 % 4);
    options.shape = shapeFor(seed);
    Clustering free = llvm::cantFail(partitionFreely(graph, chip, options));
    chip.crossbar.core = tightLimits(graph, chip, seed);
    Clustering kept = llvm::cantFail(partitionFreely(graph, chip, options));
    for (const SpikingGraph *by : {&graph, &single})
      EXPECT_EQ(toText(verifyLimits(*by, kept, chip.crossbar)), "") << "seed " << seed;
    EXPECT_EQ(toText(verifyAgainst(single, kept)), "") << "seed " << seed;
    bool isBroken = llvm::errorToBool(verifyLimits(single, free, chip.crossbar));
    EXPECT_EQ(llvm::errorToBool(verifyLimits(graph, free, chip.crossbar)), isBroken);
    broken += isBroken;
  }
  EXPECT_GE(broken, 12u);
}

/// A column that no core has room for is refused as it is where every synapse is listed.
TEST(GroupedUnits, ColumnsThatDoNotFitAreRefused) {
  SpikingGraph graph = randomSharedGraph(4), single = listed(graph);
  auto errorsFor = [&](auto change) {
    Chip chip = chipOf(12, 8);
    change(chip.crossbar.core);
    std::string errors = toText(partitionFreely(graph, chip, {}).takeError());
    EXPECT_EQ(errors, toText(partitionFreely(single, chip, {}).takeError()));
    return errors;
  };
  EXPECT_THAT(errorsFor([](CoreLimits &core) { core.fanIn = {3, "by hand"}; }),
              HasSubstr("synapses for one column, crossbar.limits.fan_in is 3; divide"));
  EXPECT_THAT(errorsFor([](CoreLimits &core) { core.synapseWords = {2, "by hand"}; }),
              HasSubstr("words of synapse memory for one column, crossbar.limits.synapse_words"));
  EXPECT_THAT(errorsFor([](CoreLimits &core) { core.axons = {3, "by hand"}; }),
              HasSubstr("axons for one column, crossbar.limits.axons is 3; divide"));
}

TEST(GroupedUnits, RefusesWhatNeedsEverySynapse) {
  SpikingGraph graph = randomSharedGraph(1);
  PartitionOptions pairs;
  pairs.shape = FanInShape::Pairs;
  EXPECT_THAT(toText(partition(graph, chipOf(8, 8), pairs).takeError()),
              HasSubstr("synapses are in lists that neurons share, fan_in.shape: pairs needs them "
                        "one by one"));
  Chip limited = chipOf(8, 8);
  limited.crossbar.core.axons = limited.crossbar.core.synapseWords = {1000, "by hand"};
  limited.crossbar.core.axonTypes = 4;
  EXPECT_THAT(toText(partition(graph, limited, PartitionOptions()).takeError()),
              HasSubstr("crossbar.limits.axon_types needs them one by one"));
  limited.crossbar.core.axonTypes = 0;
  limited.crossbar.core.sharing = WeightSharing::Kernel;
  EXPECT_THAT(toText(partition(graph, limited, PartitionOptions()).takeError()),
              HasSubstr("crossbar.limits.weight_sharing: kernel needs them one by one"));
  EXPECT_THAT(toText(boundPartitions(graph, chipOf(8, 8), pairs).takeError()),
              HasSubstr("fan_in.shape: pairs needs them one by one"));
}

TEST(VerifySample, FindsEveryFault) {
  SpikingGraph graph = randomSharedGraph(4);
  Chip chip = chipOf(12, 8);
  Clustering right = llvm::cantFail(partition(graph, chip, PartitionOptions()));
  ASSERT_GT(right.clusters.size(), 3u);
  auto faultOf = [&](auto change) {
    Clustering wrong = right;
    change(wrong);
    return toText(verifySample(graph, wrong, 1000));
  };
  EXPECT_EQ(faultOf([](Clustering &) {}), "");
  EXPECT_THAT(faultOf([](Clustering &c) { c.steps = 3; }), HasSubstr("made for"));
  EXPECT_NE(faultOf([](Clustering &c) { c.clusters[1].axons[0].spikes += 1; }), "");
  EXPECT_NE(faultOf([](Clustering &c) { c.clusters[1].axons.erase(c.clusters[1].axons.begin()); }),
            "");
  EXPECT_NE(faultOf([](Clustering &c) { c.links.back().spikes += 1; }), "");
  auto carrying = std::ranges::find_if(
      right.links, [](const ClusterLink &link) { return link.partialSums > 0; });
  ASSERT_NE(carrying, right.links.end());
  auto index = size_t(carrying - right.links.begin());
  EXPECT_THAT(faultOf([&](Clustering &c) { c.links[index].partialSums += 1; }),
              HasSubstr("partial sums, the "));
  auto carriesOnly = std::ranges::find_if(right.links, [](const ClusterLink &link) {
    return link.partialSums > 0 && link.spikes == 0;
  });
  ASSERT_NE(carriesOnly, right.links.end());
  index = size_t(carriesOnly - right.links.begin());
  EXPECT_THAT(faultOf([&](Clustering &c) { c.links.erase(c.links.begin() + ptrdiff_t(index)); }),
              HasSubstr("partial sums"));
  EXPECT_THAT(faultOf([](Clustering &c) { c.rows = 1000; }), // neurons are divided for nothing
              HasSubstr("units, expected 1 of at most 1000 rows"));
}

} // namespace
