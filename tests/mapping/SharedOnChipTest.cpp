// A network whose neurons share lists of sources on a chip that tells neurons at rest from others:
// simulation and prediction are those of the same network with every synapse listed.
#include "core/network/SpikeTrace.h"
#include "core/network/synapses/SpikeReach.h"
#include "lib/mapping/Map.h"
#include "lib/partition/Partition.h"
#include "lib/sdf/placed/PredictSteps.h"
#include "sim/model/ChipSimulation.h"
#include "tests/partition/SharedGraph.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

/// With a trace, whose spikes are counted in the graph.
SpikeTrace traceFor(SpikingGraph &graph, uint64_t seed) {
  CounterRandom random(seed, 21);
  SpikeTrace trace;
  trace.populations = graph.populations;
  trace.samples = graph.samples;
  trace.steps = graph.steps;
  trace.counts.assign(graph.neurons(), 0);
  trace.recorded.resize(graph.samples);
  for (std::vector<Spike> &spikes : trace.recorded)
    for (uint32_t step = 0; step < graph.steps; ++step)
      for (NeuronId n = 0; n < graph.neurons(); ++n)
        if (random.below(12) == 0) {
          spikes.push_back({step, n});
          ++trace.counts[n];
        }
  graph.spikes = trace.counts;
  return trace;
}

Chip accessChip(uint64_t seed) {
  Chip chip = llvm::cantFail(readChip("mesh-128"));
  chip.mesh = {16, 16};
  chip.crossbar.rows = 40;
  chip.crossbar.columns = 6;
  chip.synchronisation = static_cast<Synchronisation>(seed % 2); // with barriers, or without
  chip.latency.neuronAccessCycles = {3, "by hand"};
  chip.latency.neuronUpdateCycles = {7, "by hand"};
  chip.energy.neuronAccessPj = {1, "by hand"};
  return chip;
}

TEST(SharedOnChip, WakesWhomEverySynapseWakes) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SpikingGraph shared = randomSharedGraph(seed);
    SpikeTrace trace = traceFor(shared, seed);
    if (seed % 3 == 0)
      shared.restless = {0, 1, 0, 1};
    SpikingGraph single = listed(shared);
    Chip chip = accessChip(seed);
    Clustering clustering = llvm::cantFail(partition(shared, chip, {}));
    MappingOptions options;
    options.algorithm = PlacementAlgorithm::Greedy;
    Mapping mapping = llvm::cantFail(map(clustering, chip, options));
    auto simulated = [&](const SpikingGraph &graph) {
      return llvm::cantFail(
          simulateChip(clustering, mapping, trace, chip, {}, {}, {.graph = &graph}));
    };
    EXPECT_EQ(simulated(shared), simulated(single)) << "seed " << seed;
    auto predicted = [&](const SpikingGraph &graph) {
      return llvm::cantFail(predictSteps(clustering, mapping, trace, chip, 100, &graph));
    };
    EXPECT_EQ(predicted(shared), predicted(single)) << "seed " << seed;
  }
}

TEST(SpikeReach, VisitsEverySynapse) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SpikingGraph shared = randomSharedGraph(seed), single = listed(shared);
    std::vector<std::vector<NeuronId>> targets(shared.neurons());
    for (NeuronId n = 0; n < single.neurons(); ++n)
      for (NeuronId source : single.sourcesOf(n))
        targets[source].push_back(n);
    for (const SpikingGraph &graph : {shared, single}) {
      SpikeReach reach(graph);
      for (NeuronId source = 0; source < graph.neurons(); ++source) {
        std::vector<NeuronId> found;
        for (uint32_t list : reach.listsOf(source))
          reach.visitMembers(list, [&](NeuronId n) { found.push_back(n); });
        std::ranges::sort(found);
        ASSERT_EQ(found, targets[source]) << "seed " << seed;
      }
    }
  }
  EXPECT_TRUE(SpikeReach().listsOf(7).empty());
}

} // namespace
} // namespace spindle
