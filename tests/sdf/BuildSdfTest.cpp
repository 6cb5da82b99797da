#include "lib/sdf/BuildSdf.h"

#include "core/support/CounterRandom.h"
#include "lib/sdf/Analyze.h"
#include "gmock/gmock.h"

#include <cmath>

namespace spindle {
namespace {

using testing::HasSubstr;

Chip chipWith(double rowRead, double update, double barrier) {
  Chip chip;
  chip.latency.rowReadCycles.value = rowRead;
  chip.latency.neuronUpdateCycles.value = update;
  chip.latency.stepBarrierCycles.value = barrier;
  return chip;
}

/// Neurons 0..1 in the host, 2..4 in cluster 0, 5 in cluster 1, whose first part lies in cluster 0.
Clustering twoClusters() {
  Clustering clustering;
  clustering.algorithm = "by hand";
  clustering.rows = clustering.columns = 8;
  clustering.neurons = 6;
  clustering.samples = 4;
  clustering.steps = 10;
  clustering.units = {{2, 0, kNone}, {3, 0, kNone}, {4, 0, kNone}, {5, 0, 4}, {5, 1, kNone}};
  clustering.clusters = {{4, 3, 7, {{0, 3, 20}, {1, 3, 1}, {2, 1, 30}}},
                         {1, 1, 2, {{3, 1, 9}, {4, 1, 6}}}};
  clustering.links = {{0, 1, 15, 40}, {kNone, 0, 21, 0}};
  clustering.cutSpikes = 15;
  return clustering;
}

TEST(BuildSdf, TimesAndRatesInClosedForm) {
  auto graph = buildSdf(twoClusters(), chipWith(3, 1.01, 7), {});
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  // 10 · 7 + 10 · 4 · 1.01 = 110.4; the rows take (20 + 1 + 30) / 4 · 3 = 38.25 beside
  EXPECT_EQ(graph->actors[0], (SdfActor{"cluster0", 111}));
  // 10 · 7 + (9 + 6 + 40) / 4 · 3 = 111.25; the columns take 10 · 1 · 1.01 beside
  EXPECT_EQ(graph->actors[1], (SdfActor{"cluster1", 112}));
  // (15 + 40) / 4 rounded up
  std::vector<SdfChannel> channels{{0, 1, 14, 14, 0, 32}, {0, 0, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}};
  EXPECT_EQ(graph->channels, channels);
  auto analysis = analyze(*graph, {});
  ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
  EXPECT_EQ(analysis->period, 112);
  EXPECT_EQ(analysis->latency, 111u + 112);
}

TEST(BuildSdf, SynchronisationDecidesWhatAStepCosts) {
  Chip chip = chipWith(3, 1, 7);
  chip.latency.stepBarrierTileCycles.value = 2;
  auto cyclesOf = [&] {
    return llvm::cantFail(buildSdf(twoClusters(), chip, {})).actors[0].executionTime;
  };
  EXPECT_EQ(cyclesOf(), 10u * (7 + 2 * 2) + 10 * 4); // two tiles
  chip.crossbarsPerTile = 2;
  EXPECT_EQ(cyclesOf(), 10u * (7 + 1 * 2) + 10 * 4);
  chip.synchronisation = Synchronisation::Pipeline;
  EXPECT_EQ(cyclesOf(), 10u * 4);
  chip.synchronisation = Synchronisation::Free;
  chip.clockMhz.value = 100;
  chip.stepUs.value = 0.06;
  EXPECT_EQ(cyclesOf(), 10u * 6);
  chip.stepUs.value = 0.03; // it cannot keep up
  EXPECT_EQ(cyclesOf(), 10u * 4);
}

TEST(BuildSdf, CellsWorkedOneByOneTakeTheirTime) {
  Chip chip = chipWith(0, 0, 0);
  chip.latency.synapseCycles.value = 2;
  auto graph = buildSdf(twoClusters(), chip, {});
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  // (20 · 3 + 1 · 3 + 30 · 1) / 4 · 2 = 46.5
  EXPECT_EQ(graph->actors[0].executionTime, 47u);
}

TEST(BuildSdf, AnIdleChipStillTakesACycleAndAToken) {
  Clustering clustering = twoClusters();
  clustering.links = {{0, 1, 0, 0}};
  clustering.cutSpikes = 0;
  auto graph = buildSdf(clustering, chipWith(0, 0, 0), {});
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  EXPECT_EQ(graph->actors[0].executionTime, 1u);
  EXPECT_EQ(graph->channels[0].produce, 1u);
}

TEST(BuildSdf, ChannelsOfACircleHoldASample) {
  Clustering clustering = twoClusters();
  clustering.links = {{0, 1, 15, 40}, {1, 0, 8, 0}};
  clustering.cutSpikes = 23;
  auto graph = buildSdf(clustering, chipWith(1, 1, 0), {});
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  EXPECT_EQ(graph->channels[0].initialTokens, 14u);
  EXPECT_EQ(graph->channels[1].initialTokens, 2u);
}

TEST(BuildSdf, OtherChannelsHoldNothing) {
  Clustering clustering = twoClusters();
  clustering.links = {{1, 0, 8, 0}};
  clustering.cutSpikes = 8;
  auto graph = buildSdf(clustering, chipWith(1, 1, 0), {});
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  EXPECT_EQ(graph->channels[0].initialTokens, 0u);
}

TEST(BuildSdf, AnyLinksGiveALiveGraphAsFastAsItsSlowestCluster) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    CounterRandom random(seed);
    Clustering clustering;
    clustering.rows = clustering.columns = 4;
    clustering.samples = 3;
    clustering.steps = 5;
    clustering.neurons = 36;
    for (ClusterId c = 0; c < 12; ++c)
      clustering.clusters.push_back({3, 3, 1, {{c, 1, random.below(1000)}}});
    for (uint32_t unit = 0; unit < 36; ++unit)
      clustering.units.push_back({unit, unit % 12, kNone});
    for (ClusterId from = 0; from < 12; ++from)
      for (ClusterId to = 0; to < 12; ++to)
        if (from != to && random.below(8) == 0) {
          clustering.links.push_back({from, to, random.below(50), 0});
          clustering.cutSpikes += clustering.links.back().spikes;
        }
    auto graph = buildSdf(clustering, chipWith(1, 1 + random.below(4), 2), {});
    ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
    auto analysis = analyze(*graph, {});
    ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
    EXPECT_TRUE(analysis->selfTimedAgrees);
    uint64_t slowest = 0, together = 0;
    for (const SdfActor &actor : graph->actors) {
      slowest = std::max(slowest, actor.executionTime.total());
      together += actor.executionTime.total();
    }
    EXPECT_EQ(analysis->period, double(slowest));
    EXPECT_LE(analysis->latency, together);
  }
}

TEST(BuildSdf, RefusesClusteringsWithoutMeasuredSpikes) {
  Clustering clustering = twoClusters();
  clustering.samples = 0;
  EXPECT_EQ(toText(buildSdf(clustering, chipWith(1, 1, 1), {}).takeError()),
            "clustering: error: 2 clusters and 0 recorded samples, expected at least one of each; "
            "record samples in the emulation");
}

TEST(BuildSdf, RefusesCyclesThatNoNumberHolds) {
  Clustering clustering = twoClusters();
  clustering.clusters[1].axons[0].spikes = UINT64_MAX;
  EXPECT_THAT(toText(buildSdf(clustering, chipWith(1, 1, 1), {}).takeError()),
              testing::AllOf(HasSubstr("clustering: error: cluster1 takes "),
                             HasSubstr(" cycles per sample, expected at most 1000000000000000")));
}

TEST(BuildSdf, RefusesRatesBeyond32Bits) {
  Clustering clustering = twoClusters();
  clustering.links = {{0, 1, uint64_t(1) << 40, 0}};
  clustering.cutSpikes = uint64_t(1) << 40;
  EXPECT_EQ(toText(buildSdf(clustering, chipWith(1, 1, 1), {}).takeError()),
            "clustering: error: link 0 -> 1 carries 274877906944 packets per sample, expected at "
            "most 4294967295");
}

} // namespace
} // namespace spindle
