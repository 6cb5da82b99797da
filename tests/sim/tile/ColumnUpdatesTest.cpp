// Neurons that are accessed always and updated when they are not at rest; packets to crossbars.
#include "sim/model/ChipSimulation.h"

#include "core/network/SpikingGraph.h"
#include "tests/sim/ChipCase.h"
#include "tests/sim/EnergyEvents.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

Chip accessChip(Mesh mesh, uint32_t crossbarsPerTile = 1) {
  Chip chip = ChipCase::pricedChip(mesh, crossbarsPerTile);
  chip.path = "chip.yaml";
  chip.energy.neuronAccessPj = {256, "access"};
  chip.latency.neuronAccessCycles = {5, "access"};
  chip.latency.neuronUpdateCycles = {7, "update"};
  chip.latency.neuronSpikeCycles = {11, "spike"};
  chip.latency.axonOutCycles = {3, "axon out"};
  return chip;
}

/// Synapses as pairs of source and target.
SpikingGraph graphOf(const ChipCase &given, std::vector<std::pair<NeuronId, NeuronId>> synapses) {
  std::sort(synapses.begin(), synapses.end(), [](auto a, auto b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  SpikingGraph graph;
  graph.populations = given.trace.populations;
  graph.samples = uint32_t(given.trace.recorded.size());
  graph.steps = given.trace.steps;
  graph.spikes.resize(given.clustering.neurons);
  graph.offsets.assign(given.clustering.neurons + 1, 0);
  for (auto [source, target] : synapses) {
    graph.sources.push_back(source);
    graph.weights.push_back(1);
    ++graph.offsets[target + 1];
  }
  for (NeuronId n = 0; n < given.clustering.neurons; ++n)
    graph.offsets[n + 1] += graph.offsets[n];
  return graph;
}

/// 0 (host) → 1 → 3; 1 and 2 share a crossbar. 0 spikes in step 0, 1 in step 1.
TEST(ColumnUpdates, AreThoseOfNeuronsThatAreNotAtRest) {
  ChipCase given(accessChip({2, 1}), 1, 3, 2, 4);
  given.clustering.units = {{1, 0, kNone}, {2, 0, kNone}, {3, 1, kNone}};
  given.clustering.clusters[0].axons = {{0, 1, 0}};
  given.clustering.clusters[1].axons = {{1, 1, 0}};
  given.mapping.placements = {{0, 0}, {1, 0}};
  given.spike(0, 0, 0);
  given.spike(0, 1, 1);
  given.complete();
  SpikingGraph graph = graphOf(given, {{0, 1}, {1, 3}});
  PacketLog log;
  ChipStats stats =
      llvm::cantFail(simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}, {},
                                  {.log = &log, .graph = &graph}));
  // 1 in step 1, from where on it is at rest; 3 in step 2, and in step 3, as it has not spiked.
  EXPECT_EQ(eventsOf(stats, "neuron_update"), 3u);
  EXPECT_EQ(eventsOf(stats, "neuron_access"), 12u);
  // Step 0: two accesses, or a row read, and the barrier; step 1: the columns are through after
  // both accesses, an update, a spike and a packet, which is made before the second access …
  uint64_t first = std::max(2 * 5, 10) + 100;
  ASSERT_EQ(log.packets.packets.size(), 1u);
  EXPECT_EQ(log.packets.packets[0].madeCycle, first + 5 + 7 + 11 + 3);
  // … and read in the other tile; steps 2 and 3: two accesses, or one with an update.
  uint64_t second = 5 + 7 + 11 + 3 + 3 * 2 + 2 + 10 + 100, last = std::max(2 * 5, 5 + 7) + 100;
  EXPECT_EQ(stats.cycles, first + second + 2 * last);
}

TEST(ColumnUpdates, NeedTheGraph) {
  ChipCase given = ChipCase::random(3, {2, 2}, 1, 3);
  given.chip = accessChip({2, 2});
  EXPECT_EQ(
      toText(
          simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}).takeError()),
      "chip.yaml: error: neurons at rest are accessed and not updated on this chip "
      "(neuron_access_pj, neuron_access_cycles), and which are takes the graph of the "
      "network; run the stage graph");
  SpikingGraph graph = graphOf(given, {});
  graph.populations.back().size = --graph.populations.back().shape[0];
  graph.spikes.pop_back();
  graph.offsets.pop_back();
  EXPECT_THAT(toText(simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}, {},
                                  {.graph = &graph})
                         .takeError()),
              HasSubstr("the graph has 99 neurons, the clustering 100"));
}

/// By definition, neuron by neuron and step by step.
TEST(ColumnUpdates, AreCountedASecondTime) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    CounterRandom draw(seed, 3);
    ChipCase given = ChipCase::random(seed, {3, 2}, 2, 7);
    given.chip = accessChip({3, 2}, 2);
    given.chip.router.packetsTo = static_cast<PacketTarget>(seed % 2);
    std::vector<std::pair<NeuronId, NeuronId>> synapses;
    for (NeuronId source = 0; source < 100; ++source)
      for (NeuronId target = 20; target < 100; ++target)
        if (draw.below(30) == 0)
          synapses.push_back({source, target});
    SpikingGraph graph = graphOf(given, synapses);
    bool isRestless = seed % 3 == 0;
    graph.restless.assign(isRestless ? graph.populations.size() : 0, 1);
    ChipStats stats = llvm::cantFail(simulateChip(given.clustering, given.mapping, given.trace,
                                                  given.chip, {}, {}, {.graph = &graph}));
    uint64_t updates = 0, packets = 0;
    for (const std::vector<Spike> &spikes : given.trace.recorded) {
      auto has = [&](uint32_t step, NeuronId neuron) {
        return std::binary_search(spikes.begin(), spikes.end(), Spike{step, neuron});
      };
      for (NeuronId neuron = 20; neuron < 100; ++neuron) {
        bool isActive = false;
        for (uint32_t step = 0; step < given.trace.steps; ++step) {
          for (auto [source, target] : synapses)
            isActive |= step > 0 && target == neuron && has(step - 1, source);
          updates += isActive || has(step, neuron);
          isActive = isRestless ? isActive || has(step, neuron) : isActive && !has(step, neuron);
        }
      }
      for (const Spike &spike : spikes) {
        ClusterId home = kNone;
        for (const Unit &unit : given.clustering.units)
          home = unit.neuron == spike.neuron ? unit.cluster : home;
        std::set<std::pair<TileId, ClusterId>> targets;
        for (ClusterId c = 0; c < given.clustering.clusters.size(); ++c)
          for (const Axon &axon : given.clustering.clusters[c].axons)
            if (axon.neuron == spike.neuron && (seed % 2 == 1 || c != home))
              targets.insert({given.mapping.placements[c].tile, seed % 2 == 1 ? c : 0});
        packets += targets.size();
      }
    }
    EXPECT_EQ(eventsOf(stats, "neuron_update"), updates) << "seed " << seed;
    EXPECT_EQ(eventsOf(stats, "neuron_access"), 80u * 12 * 3);
    if (seed % 2 == 1) { // all divided neurons' sums go from crossbar to crossbar, too
      uint64_t sums = eventsOf(stats, "partial_sum");
      EXPECT_EQ(stats.packets + stats.localDeliveries, packets + sums) << "seed " << seed;
    }
  }
}

TEST(ColumnUpdates, PacketsToCrossbarsAreNotForTreesNorCircuits) {
  ChipCase given = ChipCase::random(3, {2, 2}, 1, 3);
  given.chip.router.packetsTo = PacketTarget::Crossbar;
  given.chip.path = "chip.yaml";
  CircuitTile circuit;
  EXPECT_THAT(toText(simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}, {},
                                  {.circuits = circuit})
                         .takeError()),
              HasSubstr("packets_to is crossbar, and a circuit in a tile sends a packet to each "
                        "tile; use packets_to: tile"));
}

} // namespace
