// A chip with half the crossbars that a network needs: its loads do together what a chip with all
// of them does.
#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/support/CounterRandom.h"
#include "lib/mapping/Loads.h"
#include "lib/mapping/Map.h"
#include "lib/partition/Partition.h"
#include "sim/model/ChipSimulation.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

constexpr uint32_t kWidth = 12;

/// Layers that hear all of the one before them. A crossbar has rows for one of them, and columns
/// for half a layer.
SpikingGraph layered(uint32_t layers) {
  SpikingGraph graph;
  graph.samples = 2;
  graph.steps = 16;
  graph.offsets.assign(kWidth + 1, 0);
  for (uint32_t layer = 0; layer <= layers; ++layer) {
    auto kind = layer == 0 ? PopulationKind::Input : PopulationKind::Neuron;
    graph.populations.push_back(
        {"layer" + std::to_string(layer), kind, {kWidth}, layer * kWidth, kWidth});
    for (uint32_t n = 0; layer > 0 && n < kWidth; ++n) {
      for (uint32_t source = 0; source < kWidth; ++source)
        graph.sources.push_back((layer - 1) * kWidth + source);
      graph.offsets.push_back(graph.sources.size());
    }
  }
  graph.weights.assign(graph.sources.size(), 1);
  return graph;
}

Chip chipWith(uint32_t crossbars) {
  Chip chip = llvm::cantFail(readChip("mesh-128"));
  chip.mesh.columns = crossbars;
  chip.mesh.rows = 1;
  chip.crossbar.rows = kWidth;
  chip.crossbar.columns = kWidth / 2;
  chip.load = {{10, "assumption: a test"}, {1, "assumption: a test"}};
  return chip;
}

ChipStats simulated(const Clustering &clustering, const Chip &chip, const SpikeTrace &trace) {
  MappingOptions options;
  options.algorithm = PlacementAlgorithm::Greedy;
  Mapping mapping = llvm::cantFail(map(clustering, chip, options));
  return llvm::cantFail(simulateChip(clustering, mapping, trace, chip, {}));
}

uint64_t eventsOf(const ChipStats &stats, const std::string &name) {
  for (const EnergyPart &part : stats.energy)
    if (part.name == name)
      return part.events;
  ADD_FAILURE() << name;
  return 0;
}

TEST(Loads, DoTogetherWhatTheWholeDoes) {
  for (uint32_t layers = 2; layers <= 7; ++layers) {
    SpikingGraph graph = layered(layers);
    uint32_t neurons = (layers + 1) * kWidth;
    SpikeTrace trace;
    trace.populations = graph.populations;
    trace.samples = graph.samples;
    trace.steps = graph.steps;
    trace.recorded.resize(graph.samples);
    trace.counts.assign(neurons, 0);
    CounterRandom random(layers, 5);
    for (std::vector<Spike> &sample : trace.recorded)
      for (uint32_t step = 0; step < trace.steps; ++step)
        for (NeuronId n = 0; n < neurons; ++n)
          if (random.below(5) == 0) {
            sample.push_back({step, n});
            ++trace.counts[n];
          }
    graph.spikes = trace.counts;
    PartitionOptions options;
    options.algorithm = PartitionAlgorithm::FirstFit;
    Clustering whole = llvm::cantFail(partition(graph, chipWith(200), options));
    auto needed = static_cast<uint32_t>(whole.clusters.size());
    EXPECT_EQ(needed, 2 * layers);
    ChipStats once = simulated(whole, chipWith(needed), trace);

    Chip half = chipWith(layers);
    std::vector<Load> loads = llvm::cantFail(planLoads(whole, half));
    EXPECT_EQ(loads.size(), 2u);
    uint64_t events = 0, reads = 0, updates = 0, spikes = 0, longest = 0, cycles = 0;
    for (const Load &load : loads) {
      Clustering clustering = clusteringOf(whole, load);
      SpikeTrace heard = trace;
      heard.populations = populationsOf(trace.populations, clustering);
      ChipStats part = simulated(clustering, half, heard);
      events += part.synapticEvents;
      reads += part.rowReads;
      updates += eventsOf(part, "neuron_update");
      spikes += eventsOf(part, "neuron_spike");
      longest = std::max(longest, part.cycles);
      cycles += part.cycles;
    }
    EXPECT_EQ(events, once.synapticEvents);
    EXPECT_EQ(reads, once.rowReads);
    EXPECT_EQ(updates, eventsOf(once, "neuron_update"));
    EXPECT_EQ(spikes, eventsOf(once, "neuron_spike"));
    EXPECT_GT(cycles, once.cycles);
    EXPECT_LT(longest, cycles);
  }
}

} // namespace
} // namespace spindle
