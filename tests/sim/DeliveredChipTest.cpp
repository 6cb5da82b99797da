// Random networks on free-running chips against an explicit delivery of every weight.
#include "sim/model/DeliveredChip.h"

#include "tests/sim/RandomLayers.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

struct Outcome {
  uint64_t late = 0, lost = 0, lateSums = 0, spikes = 0;
};

/// Both ways, compared; adds to `outcome`.
void compare(const IntegerLayers &layers, const ChipCase &made, uint64_t stepCycles,
             LateSpikes late, Outcome &outcome) {
  double stepUs = double(stepCycles) / made.chip.clockMhz.value;
  auto chip =
      DeliveredChip::make(layers.graph, made.clustering, made.mapping, made.chip, stepUs, late);
  ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
  ToyNetwork network(layers);
  ASSERT_FALSE(bool(network.begin(0)));
  std::vector<DeliveryCounts> counts;
  ASSERT_FALSE(bool((*chip)->run(network, made.trace.steps, counts)));
  ExplicitDelivery oracle(layers, made, stepCycles, late, 3, 0);
  oracle.run();
  EXPECT_EQ(network.made, oracle.spikesMade());
  EXPECT_EQ(counts, oracle.countsMade());
  for (const DeliveryCounts &count : counts) {
    outcome.late += count.lateSpikes;
    outcome.lost += count.lostSpikes;
    outcome.lateSums += count.lateSums;
    outcome.spikes += count.spikes;
  }
}

/// Kinds between layers, some with a time of their own.
void giveKinds(IntegerLayers &layers, Chip &chip, uint64_t seed) {
  CounterRandom draw(seed, 3);
  auto layersThere = static_cast<uint32_t>(layers.graph.populations.size());
  for (uint32_t from = 0; from < layersThere; ++from)
    for (uint32_t to = from + 1; to < layersThere; ++to)
      layers.graph.projections.push_back({from, to, static_cast<SynapseKind>(draw.below(4))});
  chip.latency.synapseKindCycles[size_t(SynapseKind::Convolution)] = {1, "window"};
  chip.latency.synapseKindCycles[size_t(SynapseKind::Dense)] = {2, "matrix"};
}

/// As if some neurons had spiked more in the recorded samples than others.
void updateSpikesFirst(ChipCase &made) {
  made.clustering.order = ColumnOrder::SpikesFirst;
  for (Cluster &cluster : made.clustering.clusters)
    for (Axon &axon : cluster.axons)
      axon.spikes = axon.neuron * 7 % 5 * 4;
}

/// Clusters of one tile: nothing travels, but crossbars queue rows, and neurons are divided.
TEST(DeliveredChip, QueuesOfOneTileAgreeWithAnExplicitDelivery) {
  Outcome outcome;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom draw(seed);
    IntegerLayers layers = randomLayers(draw, false, 10);
    uint32_t clusters = 2 + draw.below(5);
    Chip chip = ChipCase::pricedChip({1, 1}, clusters);
    chip.latency.rowReadCycles.value = 1 + draw.below(12);
    if (seed % 2 == 1)
      giveKinds(layers, chip, seed);
    chip.latency.partialSumCycles.value = 1 + draw.below(6);
    ChipCase made(chip, 1, 1, clusters, 10);
    made.clustering.sums = draw.below(2) == 0 ? PartialSums::Packets : PartialSums::Vector;
    if (seed % 5 == 0)
      made.clustering.sums = PartialSums::Tile;
    made.clustering.shape = static_cast<FanInShape>(seed / 3 % 3);
    for (uint32_t c = 0; c < clusters; ++c)
      made.mapping.placements.push_back({0, c});
    uint32_t next = 0; // every cluster is used
    place(
        made, layers,
        [&](size_t, uint32_t) { return next < clusters ? next++ : draw.below(clusters); }, &draw);
    if (seed % 4 < 2)
      updateSpikesFirst(made);
    auto late = draw.below(2) == 0 ? LateSpikes::Next : LateSpikes::Drop;
    uint64_t updated = 0; // a step has room for the columns of the fullest crossbar
    for (const Cluster &cluster : made.clustering.clusters)
      updated = std::max<uint64_t>(updated, cluster.units);
    updated *= uint64_t(chip.latency.neuronUpdateCycles.value);
    for (uint64_t cycles : {40u, 60u, 90u, 150u, 2000u}) {
      cycles = std::max(cycles, updated);
      SCOPED_TRACE(seed * 10000 + cycles);
      compare(layers, made, cycles, late, outcome);
    }
  }
  EXPECT_GT(outcome.late, 1000u); // the cases are worth their name
  EXPECT_GT(outcome.lateSums, 50u);
  EXPECT_LT(outcome.late, outcome.spikes / 2);
}

/// A layer per tile of a row: spikes follow each other three cycles apart, so none waits for
/// another one, and each takes 3·(h + 1) + 2 cycles.
TEST(DeliveredChip, LayersOfARowAgreeWithAnExplicitDelivery) {
  Outcome outcome;
  for (uint64_t seed = 100; seed < 140; ++seed) {
    CounterRandom draw(seed);
    IntegerLayers layers = randomLayers(draw, true, 12);
    auto clusters = static_cast<uint32_t>(layers.graph.populations.size() - 1);
    Chip chip = ChipCase::pricedChip({std::max(2u, clusters), 1});
    chip.latency.rowReadCycles.value = 1 + draw.below(6);
    if (seed % 2 == 1)
      giveKinds(layers, chip, seed);
    chip.latency.neuronUpdateCycles.value = 3;
    chip.router.multicast = draw.below(2) == 0 ? Multicast::Unicast : Multicast::Tree;
    // From west to east, or from east to west; the host enters where the first layer is.
    TileId last = chip.mesh.columns - 1;
    if (seed % 3 > 0)
      chip.mesh.hostTiles = {last / 2, last};
    ChipCase made(chip, 1, 1, clusters, 12);
    for (uint32_t c = 0; c < clusters; ++c)
      made.mapping.placements.push_back({seed % 3 > 0 ? last - c : c, 0});
    place(made, layers, [&](size_t p, uint32_t) { return static_cast<ClusterId>(p - 1); }, nullptr);
    if (seed % 2 == 0)
      updateSpikesFirst(made);
    auto late = draw.below(2) == 0 ? LateSpikes::Next : LateSpikes::Drop;
    for (uint64_t cycles : {34u, 38u, 45u, 70u, 500u}) {
      SCOPED_TRACE(seed * 10000 + cycles);
      compare(layers, made, cycles, late, outcome);
    }
  }
  EXPECT_GT(outcome.late, 200u);
  EXPECT_LT(outcome.late, outcome.spikes / 2);
}

/// One layer of one neuron that a spike of the host drives.
struct SmallCase {
  IntegerLayers layers;
  ChipCase made;
  SmallCase() : made(ChipCase::pricedChip({1, 1}), 1, 1, 1, 2) {
    layers.graph = {
        {{"in", PopulationKind::Input, {1}, 0, 1}, {"layer", PopulationKind::Neuron, {1}, 1, 1}},
        1,
        2,
        {0, 0},
        {0, 0, 1},
        {0},
        {8}};
    layers.inputs = {{{true}, {false}}};
    made.mapping.placements = {{0, 0}};
    place(made, layers, [](size_t, uint32_t) { return 0u; }, nullptr);
  }
  std::string errorOf(double stepUs) {
    return toText(DeliveredChip::make(layers.graph, made.clustering, made.mapping, made.chip,
                                      stepUs, LateSpikes::Next)
                      .takeError());
  }
};

/// A row of ten cycles: read by the end of a slot of ten, in the next one with nine.
TEST(DeliveredChip, TheLastCycleOfASlotIsInTime) {
  for (auto [cycles, spikesAt] : {std::pair(10u, 0u), std::pair(9u, 1u)}) {
    SmallCase small;
    auto chip = DeliveredChip::make(small.layers.graph, small.made.clustering, small.made.mapping,
                                    small.made.chip, cycles / 500.0, LateSpikes::Next);
    ASSERT_TRUE(bool(chip));
    ToyNetwork network(small.layers);
    ASSERT_FALSE(bool(network.begin(0)));
    std::vector<DeliveryCounts> counts;
    ASSERT_FALSE(bool((*chip)->run(network, 2, counts)));
    EXPECT_EQ(network.made[0][1], spikesAt == 0);
    EXPECT_EQ(network.made[1][1], spikesAt == 1);
    EXPECT_EQ(counts[0], (DeliveryCounts{1, spikesAt, 0, 0, 0, 0}));
  }
}

TEST(DeliveredChip, RefusesStepsTooShortForTheColumns) {
  SmallCase small;
  small.made.chip.path = "chip.yaml";
  small.made.chip.latency.neuronUpdateCycles.value = 20;
  EXPECT_EQ(small.errorOf(0.03),
            "chip.yaml: error: the columns of a crossbar are updated in 20 cycles, but a step of "
            "0.03 µs has 15; set step_us, or assessment.step_us of the flow, to 0.04 or more");
}

TEST(DeliveredChip, RefusesFeedback) {
  SmallCase small;
  small.layers.graph.sources = {1};
  EXPECT_THAT(small.errorOf(1), HasSubstr("population 'layer' drives 'layer', which does not come "
                                          "after it; a network with feedback has no accuracy as "
                                          "delivered, leave out the section assessment"));
}

TEST(DeliveredChip, RefusesNounsOfDifferentNetworks) {
  SmallCase small;
  small.made.clustering.neurons = 3;
  small.made.clustering.units.push_back({2, 0, kNone});
  small.made.clustering.clusters[0].units = small.made.clustering.clusters[0].neurons = 2;
  EXPECT_THAT(small.errorOf(1), HasSubstr("the graph has 2 neurons, the clustering 3"));
}

} // namespace
