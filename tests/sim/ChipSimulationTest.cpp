// Small cases worked out by hand, and the errors.
#include "sim/model/ChipSimulation.h"

#include "core/support/formats/Yaml.h"
#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

ChipStats simulate(const ChipCase &given, uint32_t samples = 10) {
  llvm::Expected<ChipStats> stats =
      simulateChip(given.clustering, given.mapping, given.trace, given.chip, {.samples = samples});
  if (!stats) {
    ADD_FAILURE() << toText(stats.takeError());
    return {};
  }
  return *stats;
}

std::string errorOf(const ChipCase &given) {
  return toText(
      simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}).takeError());
}

EnergyPart part(const ChipStats &stats, const std::string &name) {
  for (const EnergyPart &candidate : stats.energy)
    if (candidate.name == name)
      return candidate;
  ADD_FAILURE() << "no part " << name;
  return {};
}

/// 3x2 tiles. Neuron 0 is the host's; 1 and 2 have columns 0 and 1 of cluster 0 at tile 0, neuron 3
/// is in cluster 1 at tile 5. Neuron 0 drives two cells of cluster 0, neuron 2 one cell of
/// cluster 1.
ChipCase twoClusters() {
  ChipCase made(ChipCase::pricedChip({3, 2}), 1, 3, 2, 2);
  made.clustering.units = {{1, 0, kNone}, {2, 0, kNone}, {3, 1, kNone}};
  made.clustering.clusters[0].axons = {{0, 2, 0}};
  made.clustering.clusters[1].axons = {{2, 1, 0}};
  made.mapping.placements = {{0, 0}, {5, 0}};
  return made;
}

TEST(ChipSimulation, OneSpikeAcrossTheMesh) {
  ChipCase made = twoClusters();
  made.spike(0, 0, 0);
  made.spike(0, 0, 2);
  made.complete();
  ChipStats stats = simulate(made);

  // Step 0: the spike of neuron 2 leaves when column 1 is updated, in cycle 2; three hops take
  // 3 · (3 + 1) + 2 cycles; cluster 1 reads its row until 2 + 14 + 10, then comes the barrier of
  // 100. Step 1 is two columns and the barrier.
  EXPECT_EQ(stats.cycles, 2u + 14 + 10 + 100 + 2 + 100);
  EXPECT_EQ(stats.packets, 1u);
  EXPECT_EQ(stats.spikePackets, 1u);
  EXPECT_EQ(stats.partialSumPackets, 0u);
  EXPECT_EQ(stats.localDeliveries, 1u); // the host's spike to the cluster at its own tile
  EXPECT_EQ(stats.latencyMeanCycles, 14);
  EXPECT_EQ(stats.latencyMaxCycles, 14u);
  EXPECT_EQ(stats.networkLatencyP50Cycles, 14u);
  EXPECT_EQ(stats.networkLatencyP99Cycles, 14u);
  EXPECT_EQ(stats.networkLatencyMaxCycles, 14u);
  EXPECT_EQ(stats.traffic.fanOutMean, 1); // of the spike that crosses the mesh
  EXPECT_EQ(stats.traffic.fanOutMax, 1u);
  EXPECT_EQ(stats.traffic.flitHops, 3u);
  EXPECT_EQ(stats.traffic.hopsMean, 3);
  EXPECT_EQ(stats.traffic.flitsPerCycleNode, 1.0 / double(stats.cycles) / 6);
  EXPECT_EQ(stats.traffic.bufferedFlitsMean, 0); // a router that speculates sends it on at once
  EXPECT_EQ(stats.traffic.blockedFlitCycles, 0u);
  EXPECT_EQ(stats.traffic.disorder, 0);
  EXPECT_EQ(stats.rowReads, 2u);
  EXPECT_EQ(stats.lateRowReads, 0u);
  EXPECT_EQ(stats.synapticEvents, 3u);
  EXPECT_THAT(stats.tileSpikes, ElementsAre(1, 0, 0, 0, 0, 0)); // the host's is not made on a tile
  EXPECT_THAT(stats.tileSynapticEvents, ElementsAre(2, 0, 0, 0, 0, 1));
  EXPECT_THAT(stats.links,
              ElementsAre(LinkLoad{0, 1, 1, 1}, LinkLoad{1, 2, 1, 1}, LinkLoad{2, 5, 1, 2}));
}

TEST(ChipSimulation, EnergyIsEventsTimesPrice) {
  ChipCase made = twoClusters();
  made.spike(0, 0, 0);
  made.spike(0, 0, 2);
  made.complete();
  ChipStats stats = simulate(made);
  EXPECT_EQ(part(stats, "hop_x"), (EnergyPart{"hop_x", 2, 2, "x"}));
  EXPECT_EQ(part(stats, "hop_y"), (EnergyPart{"hop_y", 1, 2, "y"}));
  EXPECT_EQ(part(stats, "axon_out"), (EnergyPart{"axon_out", 1, 4, "out"})); // not the host's
  EXPECT_EQ(part(stats, "axon_in"), (EnergyPart{"axon_in", 2, 16, "in"}));
  EXPECT_EQ(part(stats, "synapse"), (EnergyPart{"synapse", 3, 48, "synapse"}));
  EXPECT_EQ(part(stats, "neuron_update"), (EnergyPart{"neuron_update", 6, 192, "update"}));
  EXPECT_EQ(part(stats, "neuron_spike"), (EnergyPart{"neuron_spike", 1, 64, "spike"}));
  EXPECT_EQ(part(stats, "step_barrier"), (EnergyPart{"step_barrier", 4, 512, "barrier"}));
  // Two tiles in use for 228 cycles of 2 ns at 0.25 mW.
  EXPECT_EQ(part(stats, "leakage"), (EnergyPart{"leakage", 456, 228, "leakage", kEnergyLeakageOn}));
  EXPECT_EQ(stats.energyTotalPj, 2 + 2 + 4 + 16 + 48 + 192 + 64 + 512 + 228);
  EXPECT_EQ(stats.energy.size(), 10u);
}

/// The same network by tile, link and layer; with a clock, an endurance and resistances to heat.
TEST(ChipSimulation, EnergyIsDividedByTileLinkAndLayer) {
  ChipCase made = twoClusters();
  made.spike(0, 0, 0);
  made.spike(0, 0, 2);
  made.complete();
  made.chip.energy.clockTileMw = {0.5, "clock"};
  made.chip.crossbar.readEndurance = {1e9, "endurance"};
  made.chip.thermal = Thermal{{25, "room"}, {2e3, "lid"}, {1e12, "nearly none"}};
  ChipStats stats = simulate(made);
  EXPECT_EQ(part(stats, "clock"), (EnergyPart{"clock", 456, 456, "clock", kEnergyClock}));
  uint64_t updates = part(stats, "neuron_update").events, atFirst = 0;
  for (const Unit &unit : made.clustering.units)
    atFirst += 2 * (made.mapping.placements[unit.cluster].tile == 0);
  // Tile 0 makes a spike and a packet, takes one of the host's, and sends the other over a link.
  double first = 64 + 4 + 8 + 2 * 16 + 1 + 32 * double(atFirst) + 2 * 128;
  double last = 8 + 16 + 32 * double(updates - atFirst) + 2 * 128;
  EXPECT_THAT(stats.tileDynamicPj, ElementsAre(first, 1, 2, 0, 0, last));
  EXPECT_THAT(stats.tileClockPj, ElementsAre(228, 0, 0, 0, 0, 228));
  EXPECT_THAT(stats.tileLeakagePj, ElementsAre(114, 0, 0, 0, 0, 114));
  ASSERT_EQ(stats.layers.size(), 2u);
  EXPECT_EQ(stats.layers[0], (LayerEnergy{"in", 8 + 2 * 16})); // received, and its synapses
  EXPECT_EQ(stats.layers[1].pj, 64 + 4 + 2 + 2 + 8 + 16 + 192);
  EXPECT_EQ(stats.sharedPj, 512 + 228 + 456);
  // 228 cycles of 2 ns; heat that has no way to the neighbours.
  double seconds = 228 * 2e-9;
  for (TileId tile = 0; tile < 6; ++tile) {
    double pj = stats.tileDynamicPj[tile] + stats.tileClockPj[tile] + stats.tileLeakagePj[tile];
    EXPECT_NEAR(stats.tileCelsius[tile], 25 + pj * 1e-12 / seconds * 2e3, 1e-4) << tile;
  }
  ASSERT_TRUE(stats.mostRead.has_value());
  EXPECT_EQ(stats.mostRead->reads, 1u);
  EXPECT_NEAR(*stats.mostRead->lifeYears, 1e9 * seconds / (365.25 * 86400), 1e-12);
}

/// One packet over three links of a mesh whose routers sleep.
TEST(ChipSimulation, RoutersThatSleepArePricedByTheirState) {
  ChipCase made = twoClusters();
  made.spike(0, 0, 0);
  made.spike(0, 0, 2);
  made.complete();
  made.chip.energy.leakageRouterMw = {0.5, "on"};
  ChipStats always = simulate(made);
  // Four routers of six carry the packet; a cycle is 2 ns.
  EXPECT_EQ(part(always, "leakage_router"),
            (EnergyPart{"leakage_router", 4 * 228, 4 * 228, "on", kEnergyLeakageOn}));
  EXPECT_EQ(always.gating, std::nullopt);

  made.chip.energy.leakageGatedRouterMw = {0.125, "off"};
  made.chip.energy.routerWakePj = {3, "wake"};
  made.chip.router.gating = Gating{5, 8};
  ChipStats stats = simulate(made);
  // The tile tells the first router 2 cycles ahead, each router the next one 3: it waits for 6
  // cycles, and three times for 5.
  EXPECT_EQ(stats.latencyMaxCycles, 14u + 21);
  EXPECT_EQ(stats.cycles, 228u + 21);
  // Each is on from the cycle in which it is told (the flit is granted in the eighth after that)
  // until five cycles behind it.
  EXPECT_EQ(stats.gating, (GatingStats{4 * 14, 4 * 249 - 4 * 14, 4, 21}));
  EXPECT_EQ(part(stats, "leakage_router"),
            (EnergyPart{"leakage_router", 56, 56, "on", kEnergyLeakageOn}));
  EXPECT_EQ(part(stats, "leakage_gated_router"),
            (EnergyPart{"leakage_gated_router", 940, 235, "off", kEnergyLeakageGated}));
  EXPECT_EQ(part(stats, "router_wake"), (EnergyPart{"router_wake", 4, 12, "wake"}));
  double sum = 0;
  for (const EnergyPart &each : stats.energy)
    sum += each.pj;
  EXPECT_EQ(stats.energyTotalPj, sum);

  // Of the five ports of each router, a tenth of it each, one takes the packet; the rest is half.
  made.chip.router.gating->granularity = Granularity::Port;
  made.chip.energy.leakagePortMw = {0.05, "port"};
  stats = simulate(made);
  EXPECT_EQ(stats.gating,
            (GatingStats{56, 940, 4, 21, GatingStats::Parts{"port", 56, 5 * 996 - 56, 4}}));
  EXPECT_EQ(part(stats, "leakage_router").pj, 28);
  EXPECT_EQ(part(stats, "leakage_gated_router").pj, 117.5);
  EXPECT_EQ(part(stats, "router_wake").pj, 6);
  EXPECT_EQ(part(stats, "leakage_port").events, 56u);
  EXPECT_NEAR(part(stats, "leakage_port").pj, 5.6, 1e-12);
  EXPECT_EQ(part(stats, "leakage_port").source, "on");
  EXPECT_NEAR(part(stats, "leakage_gated_port").pj, (5 * 996 - 56) * 0.025, 1e-12);
  EXPECT_EQ(part(stats, "leakage_gated_port").kind, kEnergyLeakageGated);
  EXPECT_NEAR(part(stats, "port_wake").pj, 4 * 0.3, 1e-12);
  // Always on they are what they were.
  made.chip.router.gating.reset();
  made.chip.energy.leakagePortMw = made.chip.energy.leakageGatedRouterMw =
      made.chip.energy.routerWakePj = {};
  EXPECT_EQ(simulate(made), always);
}

TEST(ChipSimulation, AbsentPricesCostNothingAndSaySo) {
  ChipCase made = twoClusters();
  made.spike(0, 0, 2);
  made.complete();
  made.chip.energy.neuronSpikePj = {};
  EXPECT_EQ(part(simulate(made), "neuron_spike"),
            (EnergyPart{"neuron_spike", 1, 0, "not priced by the chip file"}));
}

TEST(ChipSimulation, WithoutSpikesOnlyUpdatesBarriersAndLeakageCost) {
  ChipCase made = twoClusters();
  made.complete();
  ChipStats stats = simulate(made);
  EXPECT_EQ(stats.cycles, 2u * (2 + 100));
  EXPECT_EQ(stats.packets + stats.localDeliveries + stats.synapticEvents, 0u);
  EXPECT_EQ(stats.latencyMeanCycles, 0);
  EXPECT_TRUE(stats.links.empty());
  for (const EnergyPart &each : stats.energy) {
    bool always =
        each.name == "neuron_update" || each.name == "step_barrier" || each.name == "leakage";
    EXPECT_EQ(each.pj > 0, always) << each.name;
  }
}

/// One neuron drives three crossbars in one tile and one in another: two packets, four rows.
TEST(ChipSimulation, OnePacketServesAllCrossbarsOfATile) {
  ChipCase made(ChipCase::pricedChip({2, 1}, 3), 1, 4, 4, 1);
  made.clustering.units = {{1, 0, kNone}, {2, 1, kNone}, {3, 2, kNone}, {4, 3, kNone}};
  for (Cluster &cluster : made.clustering.clusters)
    cluster.axons = {{0, 1, 0}};
  made.mapping.placements = {{1, 0}, {1, 2}, {1, 1}, {0, 0}};
  made.spike(0, 0, 0);
  made.complete();
  ChipStats stats = simulate(made);
  EXPECT_EQ(stats.packets, 1u);
  EXPECT_EQ(stats.localDeliveries, 1u);
  EXPECT_THAT(stats.tileSynapticEvents, ElementsAre(1, 3));
  EXPECT_EQ(part(stats, "axon_in").events, 2u);
  EXPECT_EQ(stats.cycles, 3u * 2 + 2 + 10 + 100); // the crossbars of a tile read side by side
}

/// A crossbar hears its own neuron without a packet; a second crossbar of the tile makes it one.
TEST(ChipSimulation, FeedbackInACrossbarIsNoPacket) {
  for (bool second : {false, true}) {
    ChipCase made(ChipCase::pricedChip({2, 1}, 2), 0, 2, 2, 1);
    made.clustering.units = {{0, 0, kNone}, {1, 1, kNone}};
    made.clustering.clusters[0].axons = {{0, 1, 0}};
    if (second)
      made.clustering.clusters[1].axons = {{0, 1, 0}};
    made.mapping.placements = {{1, 0}, {1, 1}};
    made.spike(0, 0, 0);
    made.complete();
    ChipStats stats = simulate(made);
    EXPECT_EQ(stats.localDeliveries, second);
    EXPECT_EQ(part(stats, "axon_out").events, second);
    EXPECT_EQ(part(stats, "axon_in").events, second);
    EXPECT_EQ(stats.synapticEvents, second ? 2u : 1u);
    EXPECT_EQ(stats.cycles, 1u + 10 + 100);
  }
}

/// Rows of one crossbar are read one after the other; cells too where the chip works them so.
TEST(ChipSimulation, ACrossbarWorksOneSpikeAfterTheOther) {
  ChipCase made(ChipCase::pricedChip({1, 1}), 3, 5, 1, 1);
  for (NeuronId n = 3; n < 8; ++n)
    made.clustering.units.push_back({n, 0, kNone});
  made.clustering.clusters[0].axons = {{0, 5, 0}, {1, 2, 0}, {2, 1, 0}};
  made.mapping.placements = {{0, 0}};
  made.spike(0, 0, 0);
  made.spike(0, 0, 1);
  made.spike(0, 0, 2);
  made.complete();
  EXPECT_EQ(simulate(made).cycles, 3u * 10 + 100);
  made.chip.latency.synapseCycles.value = 4;
  EXPECT_EQ(simulate(made).cycles, 3u * 10 + (5 + 2 + 1) * 4 + 100);
  made.chip.latency.neuronUpdateCycles.value = 50; // now the five columns take longest
  EXPECT_EQ(simulate(made).cycles, 5u * 50 + 100);
}

/// Neuron 2 is a chain of three units in clusters 0, 1, 2 at tiles 0, 1, 1; inputs 0 and 1 drive
/// clusters 0 and 2.
ChipCase chain() {
  ChipCase made(ChipCase::pricedChip({2, 1}, 2), 2, 1, 3, 1);
  made.clustering.units = {{2, 0, 1}, {2, 1, 2}, {2, 2, kNone}};
  made.clustering.clusters[0].axons = {{0, 1, 0}};
  made.clustering.clusters[2].axons = {{1, 1, 0}};
  made.mapping.placements = {{0, 0}, {1, 0}, {1, 1}};
  return made;
}

/// Each kind of synapses at its own time and price, others at the chip's.
TEST(ChipSimulation, KindsOfSynapsesHavePricesOfTheirOwn) {
  ChipCase made(ChipCase::pricedChip({1, 1}), 2, 9, 1, 1);
  for (NeuronId n = 2; n < 11; ++n)
    made.clustering.units.push_back({n, 0, kNone});
  SynapsesByKind<uint32_t> cells(1); // of no kind that is known
  cells[SynapseKind::Convolution] = 2;
  cells[SynapseKind::Dense] = 5;
  made.clustering.clusters[0].axons = {{0, cells, 0}, {1, 3, 0}};
  made.mapping.placements = {{0, 0}};
  made.spike(0, 0, 0);
  made.spike(0, 0, 1);
  made.complete();
  LatencyTable &latency = made.chip.latency;
  latency.synapseCycles.value = 4;
  latency.synapseKindCycles[size_t(SynapseKind::Convolution)] = {7, "window"};
  ChipStats stats = simulate(made);
  EXPECT_EQ(stats.cycles, 2u * 10 + (1 + 3 + 5) * 4 + 2 * 7 + 100);
  EXPECT_EQ(part(stats, "synapse").events, 11u);
  for (const EnergyPart &each : stats.energy)
    EXPECT_FALSE(llvm::StringRef(each.name).ends_with("_synapse")) << each.name;

  EnergyTable &energy = made.chip.energy;
  energy.synapseKindPj[size_t(SynapseKind::Convolution)] = {0.5, "window"};
  energy.synapseKindPj[size_t(SynapseKind::Dense)] = {3, "matrix"};
  ChipStats priced = simulate(made);
  EXPECT_EQ(priced.synapticEvents, 11u);
  EXPECT_EQ(part(priced, "synapse").events, 4u);
  EXPECT_EQ(part(priced, "synapse").pj, 4 * 16);
  EXPECT_EQ(part(priced, "convolution_synapse").events, 2u);
  EXPECT_EQ(part(priced, "convolution_synapse").pj, 1);
  EXPECT_EQ(part(priced, "dense_synapse").events, 5u);
  EXPECT_EQ(part(priced, "dense_synapse").pj, 15);
  EXPECT_EQ(stats.energyTotalPj - priced.energyTotalPj, 7 * 16 - 16);
  double layers = priced.sharedPj;
  for (const auto &layer : priced.layers)
    layers += layer.pj;
  EXPECT_NEAR(layers, priced.energyTotalPj, 1e-9 * layers);
}

TEST(ChipSimulation, PartialSumsFollowTheChain) {
  ChipCase made = chain();
  made.spike(0, 0, 0);
  made.complete();
  ChipStats stats = simulate(made);
  EXPECT_EQ(stats.partialSumPackets, 1u);                      // tile 0 → 1
  EXPECT_EQ(stats.localDeliveries, 2u);                        // the host's spike, and tile 1 → 1
  EXPECT_THAT(stats.links, ElementsAre(LinkLoad{0, 1, 2, 2})); // of two flits
  EXPECT_EQ(stats.latencyMaxCycles, 3u * 2 + 2 + 1);
  EXPECT_EQ(stats.cycles, 1u + 9 + 10 + 100);
  EXPECT_EQ(stats.synapticEvents, 1u);
  EXPECT_EQ(part(stats, "axon_out").events, 2u);
}

TEST(ChipSimulation, AChainAtRestSendsNothing) {
  ChipCase made = chain();
  made.spike(0, 0, 1); // reaches the end of the chain only
  made.complete();
  ChipStats stats = simulate(made);
  EXPECT_EQ(stats.partialSumPackets, 0u);
  EXPECT_EQ(stats.spikePackets, 1u);
  EXPECT_EQ(stats.localDeliveries, 0u);
}

TEST(ChipSimulation, OnlyTheSamplesAskedForAreSimulated) {
  ChipCase made = twoClusters();
  made.trace.recorded.resize(3);
  made.spike(1, 0, 2);
  made.spike(2, 1, 2);
  made.complete();
  for (uint32_t samples : {1, 2, 3}) {
    ChipStats stats = simulate(made, samples);
    EXPECT_EQ(stats.samples, samples);
    EXPECT_EQ(stats.steps, 2u);
    EXPECT_EQ(stats.packets, samples - 1);
    EXPECT_EQ(stats.cycles, samples * 2 * (2 + 100) + (samples - 1) * (14 + 10));
  }
  EXPECT_EQ(simulate(made, 99), simulate(made, 3));
}

TEST(ChipSimulation, NounsThatDoNotBelongTogetherAreRefused) {
  ChipCase made = twoClusters();
  made.complete();
  ChipCase other = made;
  other.trace.populations[1].size = 2;
  other.trace.populations[1].shape = {2};
  other.trace.counts.pop_back();
  EXPECT_EQ(errorOf(other), "error: the spike trace has 3 neurons, the clustering 4; partition the "
                            "graph of this trace again");
  other = made;
  other.trace.recorded.clear();
  EXPECT_EQ(errorOf(other), "error: the spike trace holds no recorded sample; emulate again with "
                            "record_samples of at least 1");
  other = made;
  other.trace.populations[0].kind = PopulationKind::Neuron;
  EXPECT_EQ(errorOf(other), "error: neuron 0 of population 'in' has no column in the clustering; "
                            "partition the graph of this trace again");
  other = made;
  other.chip.path = "chip.yaml";
  other.chip.crossbar.rows = 32;
  EXPECT_EQ(errorOf(other), "chip.yaml: error: crossbars of 32x64, but the clusters were made for "
                            "64x64; partition again for this chip");
  other = made;
  other.mapping.routes[0].tiles = {0, 3, 4, 5};
  EXPECT_EQ(errorOf(other),
            "error: the route from tile 0 to tile 5 does not go along x first, then "
            "along y, as the routers of the chip do");
  other = made;
  other.mapping.placements[1].tile = 6;
  EXPECT_THAT(errorOf(other), HasSubstr("tile 6"));
}

TEST(ChipOptions, AreReadFromYaml) {
  auto read = [](const std::string &text, ChipOptions &options) {
    YamlDocument document = llvm::cantFail(YamlDocument::parse(text, "flow.yaml"));
    YamlReader reader(document);
    readChipOptions(reader, options);
    return reader.finish();
  };
  ChipOptions options;
  ASSERT_FALSE(read("samples: 25", options));
  EXPECT_EQ(options, (ChipOptions{.samples = 25}));
  ASSERT_FALSE(read("trace: true", options));
  EXPECT_TRUE(options.trace);
  EXPECT_EQ(toText(read("samples: 0", options)),
            "flow.yaml:1:10: error: samples is 0, expected 1 to 1000000");
}

} // namespace
