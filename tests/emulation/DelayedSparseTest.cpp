// Synapses with delays of their own: spike for spike the same in every engine, as operations of one
// delay each where sums are exact, and whatever the order of arrival where they are not.
#include "lib/emulation/Emulation.h"

#include "lib/emulation/interpreter/Synapses.h"
#include "tests/emulation/DelayedRows.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::test;

namespace {

EmulationResult run(mlir::ModuleOp module, const Samples &samples, EmulationEngine engine,
                    Division divide = Division::Automatic, int64_t threads = 1) {
  EmulationOptions options;
  options.steps = 300; // more than a block holds
  options.recordSamples = int64_t(samples.count());
  options.threads = threads;
  options.engine = engine;
  options.divide = divide;
  return llvm::cantFail(emulate(module, samples, options));
}

/// Sums that follow the input, come back, and drive in the same step.
void build(NetworkBuilder &n, const char *spiking) {
  n.poisson();
  mlir::Value input = n.last();
  addDelayed(n.feedback("cells", {37}, 3), {37}, 0.2, 11, false, 0.4f);
  mlir::Value back = n.last();
  addDelayed(n.from(input), {37}, 0.4, 6, true).add(back);
  n.population("lif",
               std::string("layer = \"cells\", threshold = array<f32: 1.0>, tau = array<f32: "
                           "8.0>, r = array<f32: 6.0>, ") +
                   spiking);
  addDelayed(n, {3}, 0.5, 1).integrator().decode();
}

const char *const kOnce = "reset = #snn<reset zero>, refractory = array<i64: 2>";

} // namespace

TEST(DelayedSparse, EveryEngineMakesTheSameSpikes) {
  for (const char *spiking : {kOnce, "reset = #snn<reset subtract>, max_spikes = 3 : i64"}) {
    NetworkBuilder n({4, 5}, 3);
    build(n, spiking);
    mlir::ModuleOp module = n.finish();
    ASSERT_TRUE(module);
    Samples samples = randomSamples(2, {4, 5}, 3, 2, 0, 0.3f);
    EmulationResult expected = run(module, samples, EmulationEngine::Interpreter);
    ASSERT_GT(expected.trace.recorded.back().size(), 500u);
    for (auto engine : {EmulationEngine::Layers, EmulationEngine::Lanes}) {
      EmulationResult found = run(module, samples, engine);
      EXPECT_EQ(found.trace, expected.trace);
      EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
      EXPECT_EQ(found.summary.synapticEvents, expected.summary.synapticEvents);
    }
  }
}

TEST(DelayedSparse, NeuronsDivideAmongThreads) {
  NetworkBuilder n({20}, 4);
  build(n, kOnce);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(2, {20}, 1, 2, 0, 0.3f);
  EmulationResult expected = run(module, samples, EmulationEngine::Layers),
                  found = run(module, samples, EmulationEngine::Layers, Division::Neurons, 3);
  EXPECT_GT(expected.trace.recorded.front().size(), 500u);
  EXPECT_EQ(found.trace, expected.trace);
}

/// Blocks of a sample are worked by several threads, the ring by one after the other.
TEST(DelayedSparse, ThreadsShareASample) {
  NetworkBuilder n({30}, 8);
  addDelayed(n.poisson(), {300}, 0.2, 9)
      .population("lif", std::string("threshold = array<f32: 1.0>, tau = array<f32: 8.0>, r = "
                                     "array<f32: 6.0>, ") +
                             kOnce);
  addDelayed(n, {300}, 0.1, 40).integrator().decode();
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(2, {30}, 1, 2, 0, 0.3f);
  EmulationResult expected = run(module, samples, EmulationEngine::Interpreter);
  EXPECT_GT(expected.trace.recorded.front().size(), 1000u);
  for (int64_t threads : {1, 2, 3}) {
    EmulationResult found =
        run(module, samples, EmulationEngine::Layers, Division::Automatic, threads);
    EXPECT_EQ(found.trace, expected.trace);
    EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
  }
}

TEST(DelayedSparse, IsOneOperationForEachDelay) {
  // Synapses of one delay as compressed rows of the input so many steps ago, weights dyadic.
  constexpr size_t kInputs = 9, kOutputs = 7, kSteps = 40, kLongest = 12;
  CounterRandom random(6);
  std::vector<interpreter::Tensor<float>> history;
  interpreter::SparseRows rows{{0}, {}};
  std::vector<int16_t> delays;
  std::vector<float> weights;
  for (size_t o = 0; o < kOutputs; ++o) {
    std::vector<std::pair<int, int>> row;
    for (size_t i = 0; i < kInputs; ++i)
      if (random.uniform() < 0.7)
        row.push_back({-int(random.below(kLongest + 1)), int(i)});
    llvm::sort(row);
    for (auto [delay, input] : row) {
      delays.push_back(int16_t(-delay));
      rows.indices.push_back(input);
      weights.push_back(float(int(random.below(64)) - 32) / 16);
    }
    rows.offsets.push_back(int64_t(rows.indices.size()));
  }
  for (size_t t = 0; t < kSteps; ++t) {
    interpreter::Tensor<float> x({int64_t(kInputs)});
    for (float &value : x.values)
      value = random.uniform() < 0.3;
    history.push_back(x);
    std::vector<float> expected(kOutputs, 0.5f);
    for (size_t delay = 0; delay <= std::min(t, kLongest); ++delay)
      for (size_t o = 0; o < kOutputs; ++o)
        for (auto k = size_t(rows.offsets[o]); k < size_t(rows.offsets[o + 1]); ++k)
          if (size_t(delays[k]) == delay)
            expected[o] += weights[k] * history[t - delay].values[size_t(rows.indices[k])];
    EXPECT_EQ(interpreter::delayedSparse(history, weights, std::vector<float>(kOutputs, 0.5f), rows,
                                         delays, {int64_t(kOutputs)})
                  .values,
              expected)
        << t;
  }
}

TEST(DelayedSparse, GraphHasTheSynapsesWithoutTheirDelays) {
  NetworkBuilder n({9}, 5);
  addDelayed(n.poisson(), {8}, 0.6, 5);
  auto op = mlir::cast<snn::DelayedSparseOp>(n.last().getDefiningOp());
  std::vector<float> weights = *snn::constantFloats(op.getWeight());
  std::map<std::pair<int64_t, int32_t>, float> expected;
  for (int64_t o = 0; o < 8; ++o)
    for (int64_t k = op.getOffsets()[size_t(o)]; k < op.getOffsets()[size_t(o) + 1]; ++k)
      expected[{o, op.getIndices()[size_t(k)]}] = weights[size_t(k)];
  snn::LinearMap map = *op.linearMap(0);
  ASSERT_EQ(map.indices.size(), expected.size());
  size_t k = 0;
  for (auto &[pair, weight] : expected) {
    EXPECT_EQ(map.indices[k], uint32_t(pair.second));
    EXPECT_EQ(map.weights[k++], weight);
  }
}

TEST(DelayedSparse, MayBeEmpty) {
  NetworkBuilder n({5}, 5);
  addDelayed(n.poisson(), {4}, 0, 5, true).integrator().decode();
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(2, {5}, 1, 2);
  EmulationResult expected = run(module, samples, EmulationEngine::Interpreter);
  for (auto engine : {EmulationEngine::Layers, EmulationEngine::Lanes})
    EXPECT_EQ(run(module, samples, engine).summary.correctByStep, expected.summary.correctByStep);
}
