// The spiking graph: composed by hand, and driven again by an event-based simulation of its own.
#include "lib/emulation/Emulation.h"
#include "lib/emulation/graph/ExtractGraph.h"
#include "lib/emulation/network/Network.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::ElementsAre;

namespace {

EmulationOptions shortRun(int64_t steps) {
  EmulationOptions options;
  options.steps = steps;
  return options;
}

TEST(ExtractGraph, ComposesPoolingIntoTheNextLayer) {
  NetworkBuilder n({1, 2, 4});
  n.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "conv1");
  n.pool({2, 2}, {2, 2}).flatten().dense(2, {4, 8, -4, 12}, {1, 1}, "dense2");
  n.integrator({0}, "dense2").decode();
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(1, {1, 2, 4}, 3, 2);
  EmulationResult run = llvm::cantFail(emulate(module, samples, shortRun(7)));
  SpikingGraph graph = llvm::cantFail(extractGraph(module, run.trace));

  ASSERT_EQ(graph.populations.size(), 2u);
  EXPECT_EQ(graph.populations[0], (Population{"conv1", PopulationKind::Neuron, {1, 2, 4}, 0, 8}));
  EXPECT_EQ(graph.populations[1], (Population{"dense2", PopulationKind::Neuron, {2}, 8, 2}));
  for (NeuronId neuron = 0; neuron < 8; ++neuron)
    EXPECT_EQ(graph.fanIn(neuron), 0u) << "the host drives the first population";
  EXPECT_THAT(graph.sources, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(graph.weights, ElementsAre(1, 1, 2, 2, 1, 1, 2, 2, -1, -1, 3, 3, -1, -1, 3, 3));
  EXPECT_THAT(graph.restless, ElementsAre(1, 0)); // reset by subtraction; no spikes
  EXPECT_EQ(graph.samples, 3u);
  EXPECT_EQ(graph.steps, 7u);
  EXPECT_EQ(graph.spikes, run.trace.counts) << "all samples are recorded";
  EXPECT_EQ(run.summary.synapses, 16u);
  EXPECT_EQ(run.summary.synapticEvents, 2 * run.summary.spikes[0]);
  EXPECT_GT(run.summary.spikes[0], 0u);
  EXPECT_EQ(run.summary.spikes[1], 0u) << "integrators do not spike";
}

/// By what weighs the spikes of one population for another; a matrix behind windows is a matrix.
TEST(ExtractGraph, KnowsTheKindsOfSynapses) {
  NetworkBuilder n({1, 4, 4});
  n.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p0");
  n.conv(2, 3, 3).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p1");
  n.sumPool({2, 2}, {1, 1}).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p2");
  n.sparse({3, 2, 2}, 0.7).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p3");
  n.scale(true).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p4");
  n.pool({2, 2}, {2, 2})
      .flatten()
      .dense(5)
      .integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p5");
  n.dense(2).integrator({0}, "p6").decode();
  mlir::ModuleOp module = n.finish();
  EmulationResult run =
      llvm::cantFail(emulate(module, randomSamples(1, {1, 4, 4}, 2, 2), shortRun(4)));
  SpikingGraph graph = llvm::cantFail(extractGraph(module, run.trace));
  std::vector<SynapseKind> kinds;
  for (uint32_t p = 0; p < graph.projections.size(); ++p) {
    EXPECT_EQ(graph.projections[p].from, p);
    EXPECT_EQ(graph.projections[p].to, p + 1);
    kinds.push_back(graph.projections[p].kind);
  }
  EXPECT_THAT(kinds,
              ElementsAre(SynapseKind::Convolution, SynapseKind::Convolution, SynapseKind::Sparse,
                          SynapseKind::Unknown, SynapseKind::Dense, SynapseKind::Dense));
}

/// Takes the spikes of the input population from the trace and works out all others by the graph
/// alone.
void replay(const SpikingGraph &graph, const std::vector<Spike> &recorded, float threshold,
            float initial) {
  std::vector<std::vector<uint8_t>> spikes(graph.steps, std::vector<uint8_t>(graph.neurons(), 0));
  for (const Spike &spike : recorded)
    spikes[spike.step][spike.neuron] = 1;
  std::vector<double> membranes(graph.neurons(), initial);
  for (uint32_t step = 0; step < graph.steps; ++step)
    for (NeuronId neuron = graph.populations[0].size; neuron < graph.neurons(); ++neuron) {
      for (uint64_t s = graph.offsets[neuron]; s < graph.offsets[neuron + 1]; ++s)
        membranes[neuron] += spikes[step][graph.sources[s]] * double(graph.weights[s]);
      bool fires = membranes[neuron] >= double(threshold);
      membranes[neuron] -= fires * double(threshold);
      ASSERT_EQ(bool(spikes[step][neuron]), fires) << "step " << step << " neuron " << neuron;
    }
}

/// Weights that are small multiples of a power of two, so that every order of sums is exact.
std::vector<float> coarse(CounterRandom &random, size_t count) {
  std::vector<float> values(count);
  for (float &value : values)
    value = (float(random.below(129)) - 48) / 64;
  return values;
}

TEST(ExtractGraph, DrivesItsNeuronsLikeTheNetwork) {
  NetworkBuilder n({2, 8, 7});
  auto fire = [&] { n.integrateAndFire(snn::Reset::Subtract, {1.5f}, {0}, {0.75f}); };
  ConvOptions wide{{1, 2}, {1, 1, 1, 1}, {1, 1}, 1};
  n.poisson().conv({3, 2, 3, 3}, coarse(n.random, 54), {}, "conv1", wide);
  fire();
  n.pool({2, 2}, {2, 2}).transpose({2, 0, 1}).flatten();
  n.dense(10, coarse(n.random, 240), {}, "dense1");
  fire();
  n.decode();
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(1, {2, 8, 7}, 20, 10);
  EmulationOptions options = shortRun(30);
  options.recordSamples = 5;
  EmulationResult run = llvm::cantFail(emulate(module, samples, options));
  SpikingGraph graph = llvm::cantFail(extractGraph(module, run.trace));
  ASSERT_EQ(graph.populations[0].kind, PopulationKind::Input);
  ASSERT_EQ(graph.neurons(), 112u + 96u + 10u);
  EXPECT_EQ(graph.samples, 5u);
  EXPECT_GT(run.summary.spikes[2], 0u);
  uint64_t events = 0;
  for (NeuronId source : graph.sources)
    events += run.trace.counts[source];
  EXPECT_EQ(run.summary.synapticEvents, events);
  for (const std::vector<Spike> &recorded : run.trace.recorded)
    replay(graph, recorded, 1.5f, 0.75f);
}

TEST(ExtractGraph, JoinsBranches) {
  // A residual block and a concatenation: several populations drive one, some of them by two ways.
  NetworkBuilder n({3, 5, 5});
  auto fire = [&] { n.integrateAndFire(snn::Reset::Subtract, {1.5f}, {0}, {0.75f}); };
  ConvOptions same{{1, 1}, {1, 1, 1, 1}, {1, 1}, 1};
  n.poisson().conv({4, 3, 3, 3}, coarse(n.random, 108), {}, "conv1", same);
  fire();
  mlir::Value first = n.last();
  n.conv({4, 4, 3, 3}, coarse(n.random, 144), {}, "conv2", same).add(first);
  fire();
  mlir::Value second = n.last();
  n.sumPool({2, 2}, {2, 2});
  mlir::Value pooled = n.last();
  n.from(first).sumPool({2, 2}, {2, 2}).concat(pooled, 0).flatten();
  n.dense(6, coarse(n.random, 192), {}, "dense");
  mlir::Value dense = n.last();
  n.from(second).flatten().dense(6, coarse(n.random, 600), {}, "side").add(dense);
  fire();
  n.decode();
  mlir::ModuleOp module = n.finish();
  EmulationResult run =
      llvm::cantFail(emulate(module, randomSamples(1, {3, 5, 5}, 4, 6), shortRun(30)));
  SpikingGraph graph = llvm::cantFail(extractGraph(module, run.trace));
  ASSERT_EQ(graph.neurons(), 75u + 100u + 100u + 6u);
  EXPECT_EQ(graph.fanIn(280), 64u + 100u)
      << "the pooled corner that strides leave out is read once";
  EXPECT_GT(run.summary.spikes[3], 0u);
  for (const std::vector<Spike> &recorded : run.trace.recorded)
    replay(graph, recorded, 1.5f, 0.75f);
}

TEST(ExtractGraph, MaximumPoolingReadsItsWindows) {
  NetworkBuilder n({1, 3, 4});
  n.poisson()
      .maxPool({2, 2}, {1, 2}, {0, 0, 0, 0}, "pool1")
      .flatten()
      .dense(1, {1, 2, 3, 4}, {}, "");
  n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "out").decode();
  mlir::ModuleOp module = n.finish();
  EmulationResult run =
      llvm::cantFail(emulate(module, randomSamples(1, {1, 3, 4}, 2, 1), shortRun(5)));
  SpikingGraph graph = llvm::cantFail(extractGraph(module, run.trace));
  EXPECT_EQ(graph.populations[1], (Population{"pool1", PopulationKind::Neuron, {1, 2, 2}, 12, 4}));
  EXPECT_THAT(std::vector<NeuronId>(graph.sources.begin(), graph.sources.begin() + 8),
              ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  EXPECT_THAT(graph.sources, ::testing::SizeIs(20));
  EXPECT_THAT(std::vector<float>(graph.weights.end() - 5, graph.weights.end()),
              ElementsAre(1, 1, 2, 3, 4));
}

TEST(ExtractGraph, FeedbackIsARecurrentSynapse) {
  NetworkBuilder n({2});
  n.poisson();
  mlir::Value input = n.last();
  n.feedback("if1", {2}, 2).dense(2, {0, 5, 6, 0}, {}, "");
  mlir::Value back = n.last();
  n.from(input).dense(2, {1, 2, 3, 4}, {}, "").add(back);
  n.integrateAndFire(snn::Reset::Zero, {9}, {0}, {0}, "if1").decode();
  mlir::ModuleOp module = n.finish();
  EmulationResult run = llvm::cantFail(emulate(module, randomSamples(1, {2}, 2, 2), shortRun(5)));
  SpikingGraph graph = llvm::cantFail(extractGraph(module, run.trace));
  EXPECT_THAT(graph.sources, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(graph.weights, ElementsAre(1, 2, 0, 5, 3, 4, 6, 0));
}

TEST(Populations, HaveUniqueNames) {
  NetworkBuilder n({2});
  auto fire = [&](llvm::StringRef layer) {
    n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, layer);
  };
  n.poisson().dense(3);
  fire("same");
  n.dense(3);
  fire("");
  n.dense(3);
  fire("same");
  n.dense(3);
  fire("");
  n.dense(3).integrator({0}, "input").decode();
  Network network = llvm::cantFail(readNetwork(n.finish()));
  std::vector<std::string> names;
  for (const Population &population : network.populations)
    names.push_back(population.name);
  EXPECT_THAT(names, ElementsAre("input", "same", "if2", "same_2", "if4", "input_2"));
}

} // namespace
