#include "core/chip/work/Forecast.h"

#include "core/chip/work/CrossbarWork.h"

#include "gtest/gtest.h"

using namespace spindle;

namespace {

/// Input 0, neuron 1 in clusters 0 and 1 (a chain), neuron 2 in cluster 1, which reads neuron 1.
Clustering twoClusters() {
  Clustering clustering;
  clustering.rows = clustering.columns = 4;
  clustering.neurons = 3;
  clustering.samples = 2;
  clustering.steps = 5;
  clustering.units = {{1, 0, 1}, {1, 1, kNone}, {2, 1, kNone}};
  clustering.clusters = {{1, 0, 2, {{0, 1, 30}, {2, 1, 4}}}, {2, 2, 2, {{0, 1, 30}, {1, 1, 7}}}};
  clustering.links = {{0, 1, 0, 10}, {1, 0, 4, 0}, {kNone, 0, 30, 0}, {kNone, 1, 30, 0}};
  clustering.cutSpikes = 4;
  return clustering;
}

Chip pricedChip() {
  Chip chip;
  chip.mesh = {3, 3};
  chip.clockMhz.value = 500;
  chip.latency.rowReadCycles.value = 3;
  chip.latency.synapseCycles.value = 2;
  chip.latency.neuronUpdateCycles.value = 1;
  chip.latency.stepBarrierCycles.value = 100;
  return chip;
}

TEST(CrossbarWork, CountsWhatClustersDo) {
  std::vector<CrossbarWork> works = workOf(twoClusters());
  EXPECT_EQ(works[0], (CrossbarWork{10, 34, 34, 0}));
  EXPECT_EQ(works[1], (CrossbarWork{20, 37, 37, 10}));
}

TEST(CrossbarWork, SumsHaveAPriceOfTheirOwnOrThatOfARow) {
  Chip chip = pricedChip();
  CrossbarWork work{20, 37, 37, 10};
  EXPECT_EQ(updatingCycles(work, chip.latency), 20);
  EXPECT_EQ(readingCycles(work, chip.latency), 37 * 3 + 37 * 2 + 10 * 3);
  chip.latency.partialSumCycles = {1, "measured"};
  EXPECT_EQ(readingCycles(work, chip.latency), 37 * 3 + 37 * 2 + 10);
  EXPECT_EQ(workCycles(work, chip.latency), 37 * 3 + 37 * 2 + 10);
  chip.latency.neuronUpdateCycles.value = 100;
  EXPECT_EQ(workCycles(work, chip.latency), 2000);
}

TEST(Forecast, IsTheBarriersAndTheLongestLimit) {
  Chip chip = pricedChip();
  Forecast made = forecast(twoClusters(), chip);
  // Cluster 1 reads 37 rows and cells and 10 sums in two samples.
  EXPECT_EQ(made.cycles, 5 * 100 + (37 * 3 + 37 * 2 + 10 * 3) / 2.);
  EXPECT_EQ(made.slowestWork, (37 * 3 + 37 * 2 + 10 * 3) / 2.);
  EXPECT_EQ(made.limit, StepLimit::RowReads);
  EXPECT_EQ(made.cluster, 1u);
  EXPECT_EQ(made.packets, (10 + 4 + 60) / 2.);

  chip.latency.neuronUpdateCycles.value = 30;
  made = forecast(twoClusters(), chip);
  EXPECT_EQ(made.cycles, 5 * 100 + 20 * 30 / 2.);
  EXPECT_EQ(made.limit, StepLimit::ColumnUpdates);

  chip.latency.neuronUpdateCycles.value = 1;
  chip.router.spikePacketFlits = 8; // 60 packets of the host
  made = forecast(twoClusters(), chip);
  EXPECT_EQ(made.cycles, 5 * 100 + 60 * 8 / 2.);
  EXPECT_EQ(made.limit, StepLimit::HostPackets);
  EXPECT_EQ(made.cluster, kNone);
  chip.router.multicast = Multicast::Tree; // one packet for both clusters: 30
  EXPECT_EQ(forecast(twoClusters(), chip).cycles, 5 * 100 + 30 * 8 / 2.);
  chip.router.multicast = Multicast::Unicast;
  chip.mesh.hostTiles = {0, 8}; // half at each, still more than what cluster 1 reads
  EXPECT_EQ(forecast(twoClusters(), chip).cycles, 5 * 100 + 60 * 8 / 2 / 2.);
  EXPECT_EQ(forecast(twoClusters(), chip).limit, StepLimit::HostPackets);
  chip.mesh.hostTiles = {0};

  chip.router.spikePacketFlits = 1;
  chip.router.partialSumPacketFlits = 40;
  made = forecast(twoClusters(), chip);
  EXPECT_EQ(made.cycles, 5 * 100 + 10 * 40 / 2.);
  EXPECT_EQ(made.limit, StepLimit::PacketsOut);
  EXPECT_EQ(made.cluster, 0u);
}

TEST(Forecast, EnergyIsEventsTimesPrice) {
  Chip chip = pricedChip();
  EnergyTable &price = chip.energy;
  price.axonOutPj.value = 1e3;
  price.axonInPj.value = 1e6;
  price.synapsePj.value = 10;
  price.partialSumPj.value = 1;
  price.neuronUpdatePj.value = 1e9;
  // Out: 10 sums and 4 spikes; in: 60 of the host as well; 71 cells; two membranes in five steps.
  EXPECT_EQ(forecast(twoClusters(), chip).pj, (14e3 + 74e6 + 710 + 10) / 2 + 5 * 2e9);
  price = {};
  price.leakageTileMw.value = 3; // two tiles, cycles of 2 ns
  Forecast made = forecast(twoClusters(), chip);
  EXPECT_EQ(made.pj, 2 * made.cycles * 2 * 3);
  price.leakageRouterMw.value = 4;
  EXPECT_EQ(forecast(twoClusters(), chip).pj, 2 * made.cycles * 2 * (3 + 4));
  chip.router.gating = Gating();
  EXPECT_EQ(forecast(twoClusters(), chip).pj, made.pj);
}

} // namespace
