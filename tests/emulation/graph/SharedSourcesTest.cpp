// Lists that neurons share are those of the synapses that composition finds one by one.
#include "lib/emulation/graph/SharedSources.h"

#include "lib/emulation/Emulation.h"
#include "lib/emulation/graph/ExtractGraph.h"
#include "lib/emulation/network/Synapses.h"
#include "tests/emulation/DelayedRows.h"
#include "tests/emulation/layers/RandomNetwork.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::test;

namespace {

/// Returns how many entries the lists have.
uint64_t expectSameSources(mlir::ModuleOp module, const std::string &name) {
  Network network = llvm::cantFail(readNetwork(module));
  Synapses synapses = composeSynapses(network);
  SpikingGraph graph;
  graph.populations = network.populations;
  graph.spikes.assign(neuronCount(network.populations), 0);
  shareSources(network, graph);
  EXPECT_EQ(toText(verify(graph)), "") << name;
  EXPECT_EQ(graph.projections, synapses.projections) << name;
  for (NeuronId n = 0; n < graph.neurons(); ++n) {
    std::span<const NeuronId> sources = graph.sourcesOf(n);
    EXPECT_EQ(std::vector<NeuronId>(sources.begin(), sources.end()),
              std::vector<NeuronId>(synapses.sources.begin() + ptrdiff_t(synapses.offsets[n]),
                                    synapses.sources.begin() + ptrdiff_t(synapses.offsets[n + 1])))
        << name << ", neuron " << n;
  }
  return graph.sources.size();
}

TEST(SharedSources, AreThoseOfRandomNetworks) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    bool isFixed = seed % 2 == 0; // as populations with feedback are here
    RandomNetwork network(seed, isFixed, isFixed && seed % 3 == 0);
    expectSameSources(network.finish(), "seed " + std::to_string(seed));
  }
}

TEST(SharedSources, OfJoinsDelaysFeedbackAndPoolings) {
  NetworkBuilder n({3, 6, 6});
  fire(n.direct(), "p0");
  n.conv(4, 3, 3);
  fire(n, "p1");
  mlir::Value skip = n.last();
  n.conv(4, 1, 1);
  fire(n, "p2");
  n.delay({4}).add(skip);
  fire(n, "p3");
  n.pool({2, 2}, {2, 2});
  fire(n, "p4");
  n.flatten().sparse({12}, 0.3);
  mlir::Value driven = n.last();
  addDelayed(n.feedback("p5", {12}, 2), {12}, 0.4, 3).add(driven);
  fire(n, "p5");
  n.dense(3).integrator({0}, "p6").decode();
  expectSameSources(n.finish(), "joins");
}

/// A convolution has a list for each place, whatever its channels, and a dense layer one; copies
/// of its elements have the same.
TEST(SharedSources, AreFew) {
  NetworkBuilder n({3, 10, 10});
  fire(n.direct(), "p0");
  fire(n.conv(16, 3, 3), "p1");
  fire(n.sumPool({2, 2}, {2, 2}).conv(16, 3, 3).scale(true).transpose({1, 2, 0}), "p2");
  fire(n.flatten().dense(40), "p3");
  n.dense(3).integrator({0}, "p4").decode();
  mlir::ModuleOp module = n.finish();
  uint64_t entries = expectSameSources(module, "few");
  Network network = llvm::cantFail(readNetwork(module));
  EXPECT_LE(entries * 10, composeSynapses(network).sources.size());
  EXPECT_GT(estimateSynapses(network), entries);
}

TEST(SharedSources, TakeThePlaceOfManySynapses) {
  NetworkBuilder n({1, 4, 4});
  fire(n.direct(), "p0");
  fire(n.conv(2, 3, 3), "p1");
  n.flatten().dense(3).integrator({0}, "p2").decode();
  mlir::ModuleOp module = n.finish();
  EmulationOptions options;
  options.steps = 4;
  EmulationResult run = llvm::cantFail(emulate(module, randomSamples(1, {1, 4, 4}, 3, 2), options));
  SpikingGraph listed = llvm::cantFail(extractGraph(module, run.trace));
  SpikingGraph shared = llvm::cantFail(extractGraph(module, run.trace, 10));
  EXPECT_FALSE(listed.sharesLists());
  ASSERT_TRUE(shared.sharesLists());
  EXPECT_TRUE(shared.weights.empty());
  EXPECT_EQ(shared.synapses(), listed.synapses());
  EXPECT_EQ(shared.spikes, listed.spikes);
  EXPECT_EQ(shared.restless, listed.restless);
}

} // namespace
