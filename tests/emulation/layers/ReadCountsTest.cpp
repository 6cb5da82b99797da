// Counts of equal weights give the sums of one addition after the other.
#include "lib/emulation/layers/kernels/ReadCounts.h"

#include "lib/emulation/Emulation.h"
#include "tests/emulation/NetworkBuilder.h"
#include "tests/emulation/layers/Processors.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::layers;
using test::NetworkBuilder;

TEST(ReadCounts, ProductsAreSumsUpToTheExactMultiple) {
  CounterRandom random(3);
  int64_t least = 1000;
  for (int round = 0; round < 100000; ++round) {
    float weight = float(random.uniform()) * (random() % 2 ? 1 : -1e-3f);
    int64_t exact = exactMultiples(weight, 50);
    float sum = 0;
    for (int64_t k = 1; k <= exact; ++k) {
      sum += weight;
      ASSERT_EQ(sum, float(k) * weight);
    }
    if (exact < 50) {
      sum += weight;
      ASSERT_NE(sum, float(exact + 1) * weight);
    }
    least = std::min(least, exact);
  }
  EXPECT_GE(least, 3); // 2 w is exact, so 3 w is rounded once in both ways
  EXPECT_EQ(exactMultiples(0.5f, 700), 700);
}

namespace {

/// One thread, by layers and by the interpreter; gives the spikes.
std::vector<Spike> expectInterpreted(mlir::ModuleOp module, int64_t steps) {
  EmulationOptions options;
  options.steps = steps;
  options.threads = 1;
  Samples samples = test::randomSamples(3, {3}, 1, 4);
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  options.engine = EmulationEngine::Layers;
  test::onEveryProcessor([&] {
    EmulationResult found = llvm::cantFail(emulate(module, samples, options));
    EXPECT_TRUE(found.trace == expected.trace);
    EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
  });
  return expected.trace.recorded.front();
}

constexpr const char *kCells =
    "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 0.31>, tau = array<f32: "
    "5.0>, "
    "tau_exc "
    "= array<f32: 2.0>, tau_inh = array<f32: 3.0>, refractory = array<i64: 2>";

} // namespace

/// Volleys of all neurons at once, in populations large enough to be counted: counts of 8 bits and
/// of 16, beyond what a product gives.
TEST(ReadCounts, LargeCountsMakeTheSumsOfTheInterpreter) {
  constexpr int64_t kNeurons = 8203, kSteps = 24;
  for (int64_t sources : {200, 300}) {
    NetworkBuilder n({3});
    mlir::Value input =
        n.poisson().drawn({kNeurons}, {1, 1, {}, {0, 3}, {0, kNeurons}, false}, 0.9f).last();
    RandomRows often{2, 0.95, {}, {0, sources}, {0, kNeurons}, false}, rarely = often;
    rarely.probability = 0.05;
    rarely.key = 3;
    mlir::Value inhibition =
        n.feedback("cells", {kNeurons}, 3).drawn({kNeurons}, often, -0.013f).last();
    n.feedback("cells", {kNeurons}, 1).drawn({kNeurons}, rarely, 0.0171f).add(input);
    n.population("dual_cuba_lif", kCells, inhibition);
    n.drawn({4}, {5, 0.5, {}, {0, kNeurons}, {0, 4}, false}, 0.1f).integrator().decode();
    mlir::ModuleOp module = n.finish();
    ASSERT_TRUE(module);
    std::vector<Spike> spikes = expectInterpreted(module, kSteps);
    std::vector<int64_t> volley(kSteps);
    for (const Spike &spike : spikes)
      ++volley[spike.step];
    EXPECT_GT(*std::max_element(volley.begin(), volley.end()), kNeurons / 2);
  }
}

/// Targets further apart than a byte says, as sums and as counts.
TEST(ReadCounts, DistantTargetsMakeTheSumsOfTheInterpreter) {
  for (int64_t neurons : {6011, 9001}) {
    NetworkBuilder n({3});
    mlir::Value input =
        n.poisson().drawn({neurons}, {1, 1, {}, {0, 3}, {0, neurons}, false}, 0.7f).last();
    RandomRows distant{2, 0.008, {}, {0, 2000}, {0, neurons}, false}, others = distant;
    others.key = 3;
    mlir::Value inhibition =
        n.feedback("cells", {neurons}, 1).drawn({neurons}, distant, -0.013f).last();
    n.feedback("cells", {neurons}, 1).drawn({neurons}, others, 0.017f).add(input);
    n.population("dual_cuba_lif", kCells, inhibition);
    n.drawn({4}, {5, 0.5, {}, {0, neurons}, {0, 4}, false}, 0.1f).integrator().decode();
    mlir::ModuleOp module = n.finish();
    ASSERT_TRUE(module);
    EXPECT_GT(expectInterpreted(module, 12).size(), size_t(neurons));
  }
}
