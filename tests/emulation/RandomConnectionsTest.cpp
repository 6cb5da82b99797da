// Random connections kept as rules: every reader sees the synapses of the listed form.
#include "dialects/snn/transforms/Passes.h"
#include "lib/emulation/graph/ExtractGraph.h"
#include "lib/emulation/network/FanOut.h"
#include "tests/emulation/NetworkBuilder.h"
#include "tests/emulation/ranks/OnRanks.h"

#include "mlir/Pass/PassManager.h"

using namespace spindle;
using namespace spindle::test;

namespace {

/// Rules with ranges, biases, without autapses, by probability and by fan-in; two of them join the
/// same populations.
mlir::ModuleOp build(NetworkBuilder &n) {
  constexpr int64_t kNeurons = 120;
  mlir::Value noise = n.poisson().last();
  n.from(noise).drawn({kNeurons}, {1, 0, 3, {0, 20}, {0, kNeurons}, false}, 0.5f, true);
  mlir::Value driven = n.last();
  n.feedback("cells", {kNeurons}, 2)
      .drawn({kNeurons}, {2, 0.1, {}, {0, 90}, {0, kNeurons}, true}, 0.3f)
      .add(driven);
  mlir::Value excitation = n.last();
  n.feedback("cells", {kNeurons}, 2)
      .drawn({kNeurons}, {3, 0.2, {}, {80, kNeurons}, {10, 110}, false}, -0.7f);
  mlir::Value inhibition = n.last();
  n.from(excitation)
      .population("dual_cuba_lif",
                  "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 1.0>, tau = "
                  "array<f32: 8.0>, tau_exc = array<f32: 4.0>, tau_inh = array<f32: 6.0>, "
                  "refractory = array<i64: 2>",
                  inhibition);
  n.drawn({7}, {4, 0.5, {}, {0, kNeurons}, {0, 7}, false}, 0.25f)
      .population("lif",
                  "layer = \"answers\", reset = #snn<reset subtract>, threshold = array<f32: 1.0>, "
                  "tau = array<f32: 8.0>, r = array<f32: 8.0>")
      .decode();
  return n.finish();
}

void list(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addNestedPass<mlir::func::FuncOp>(snn::createSnnListSynapses());
  ASSERT_TRUE(succeeded(passes.run(module)));
  module.walk([&](snn::RandomOp op) { ADD_FAILURE() << "left: " << snn::layerOf(op).str(); });
}

struct Networks {
  Networks() : ruled({20}, 5), listed({20}, 5), rules(build(ruled)), lists(build(listed)) {
    list(lists);
    options.steps = 120;
    options.recordSamples = 2;
    options.threads = 1;
  }
  NetworkBuilder ruled, listed;
  mlir::ModuleOp rules, lists;
  Samples samples = randomSamples(3, {20}, 2, 7);
  EmulationOptions options;
};

} // namespace

TEST(RandomConnections, SpikeAsListedOnesInEveryEngine) {
  Networks n;
  n.options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(n.lists, n.samples, n.options));
  ASSERT_GT(expected.trace.recorded.front().size(), 300u);
  for (auto engine :
       {EmulationEngine::Layers, EmulationEngine::Lanes, EmulationEngine::Interpreter}) {
    n.options.engine = engine;
    EmulationResult found = llvm::cantFail(emulate(n.rules, n.samples, n.options));
    found.summary.engine = expected.summary.engine;
    expectSame(found, expected);
  }
}

TEST(RandomConnections, AreDividedAmongRanks) {
  Networks n;
  EmulationResult expected = llvm::cantFail(emulate(n.lists, n.samples, n.options));
  n.options.divide = Division::Neurons;
  for (size_t ranks : {2, 3})
    expectSame(llvm::cantFail(emulateOnRanks(ranks, n.rules, n.samples, n.options)), expected);
}

TEST(RandomConnections, HaveTheGraphOfListedOnes) {
  Networks n;
  EmulationResult result = llvm::cantFail(emulate(n.lists, n.samples, n.options));
  SpikingGraph expected = llvm::cantFail(extractGraph(n.lists, result.trace)),
               found = llvm::cantFail(extractGraph(n.rules, result.trace));
  EXPECT_TRUE(found == expected);
  Network rules = llvm::cantFail(readNetwork(n.rules)),
          lists = llvm::cantFail(readNetwork(n.lists));
  EXPECT_EQ(countSynapses(rules).synapses, countSynapses(lists).synapses);
  EXPECT_EQ(countSynapses(rules).total, expected.synapses());
}

/// Scales that all synapses share go into their weight; others are refused.
TEST(RandomConnections, RescaleTheirOneWeight) {
  NetworkBuilder n({4});
  n.drawn({3}, {1, 0.5, {}, {1, 4}, {0, 3}, false}, 2, true);
  auto op = mlir::cast<snn::RandomOp>(n.last().getDefiningOp());
  std::vector<float> bias = *snn::constantFloats(op.getBias());
  ASSERT_TRUE(succeeded(op.rescale({9, 3, 3, 3}, {5, 5, 5}))); // nothing reads the first input
  EXPECT_EQ(*snn::constantFloats(op.getWeight()), std::vector<float>{30});
  std::vector<float> scaled = *snn::constantFloats(op.getBias());
  for (size_t o = 0; o < 3; ++o)
    EXPECT_EQ(scaled[o], 5 * bias[o]);
  EXPECT_TRUE(failed(op.rescale({1, 1, 2, 1}, {1, 1, 1})));
  EXPECT_TRUE(failed(op.rescale({1, 1, 1, 1}, {1, 2, 1})));
}
