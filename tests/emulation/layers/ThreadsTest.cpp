// Few samples of many steps in several threads: the same spikes and answers as the interpreter's.
#include "lib/emulation/Emulation.h"
#include "tests/emulation/layers/Processors.h"
#include "tests/emulation/layers/RandomNetwork.h"

#include "gtest/gtest.h"

#include <optional>

using namespace spindle;
using namespace spindle::test;

namespace {

void expectEqual(const EmulationResult &found, const EmulationResult &expected) {
  EXPECT_EQ(found.trace, expected.trace);
  EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
  EXPECT_EQ(found.summary.confusion, expected.summary.confusion);
}

/// More steps than four blocks have.
EmulationOptions manySteps() {
  EmulationOptions options;
  options.steps = 1511;
  options.seed = 9;
  return options;
}

/// In one to four threads; one of several networks with a number on two processors.
void expectInterpreter(mlir::ModuleOp module, const Samples &samples, EmulationOptions options,
                       std::optional<uint64_t> network = std::nullopt) {
  ASSERT_TRUE(module);
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  options.engine = EmulationEngine::Layers;
  auto inThreads = [&] {
    for (options.threads = 1; options.threads <= 4; ++options.threads) {
      EmulationResult found = llvm::cantFail(emulate(module, samples, options));
      EXPECT_EQ(found.summary.threads, options.threads);
      expectEqual(found, expected);
    }
  };
  if (network)
    onTwoProcessors(*network, inThreads);
  else
    onEveryProcessor(inThreads);
}

class Threads : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Threads, OfOneSampleEqualTheInterpreter) {
  uint64_t seed = GetParam();
  RandomNetwork network(seed, seed % 3 == 0);
  mlir::ModuleOp module = network.finish();
  expectInterpreter(module, randomSamples(seed, network.shapeOfInput(), 1, 4), manySteps(), seed);
}

std::vector<uint64_t> seeds() {
  std::vector<uint64_t> all;
  for (uint64_t seed = 101; seed <= 112; ++seed)
    all.push_back(seed);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Networks, Threads, ::testing::ValuesIn(seeds()));

/// Threads that have done their samples join those that have not; some samples are not recorded.
TEST(FewSamples, EqualTheInterpreterInAnyNumberOfThreads) {
  for (size_t count : {2, 3, 5}) {
    RandomNetwork network(7 + count, false);
    mlir::ModuleOp module = network.finish();
    EmulationOptions options = manySteps();
    options.recordSamples = 2;
    expectInterpreter(module, randomSamples(count, network.shapeOfInput(), count, 4), options,
                      count);
  }
}

/// Dense layers behind an encoder, with neurons that put out membranes.
mlir::ModuleOp finishLayers(NetworkBuilder &n) {
  n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f});
  return n.dense(3).integrator().decode().finish();
}

TEST(OneSample, OfRatesTimesAndCurrentsEqualsTheInterpreter) {
  Samples samples = randomSamples(5, {19}, 1, 3);
  NetworkBuilder poisson({19}), regular({19}), latency({19}), direct({19});
  expectInterpreter(finishLayers(poisson.poisson().dense(37, false, 0.3f)), samples, manySteps());
  expectInterpreter(finishLayers(regular.regular().dense(37, false, 0.3f)), samples, manySteps());
  expectInterpreter(finishLayers(latency.latency(300).dense(37, false, 2)), samples, manySteps());
  expectInterpreter(finishLayers(direct.dense(37, false, 0.3f).direct()), samples, manySteps());
}

TEST(OneSample, OfRecordedEventsEqualsTheInterpreter) {
  NetworkBuilder n({19});
  Samples samples{{19}, {}, {1}, EventSamples{1511, {0}, {}}};
  for (uint32_t step = 0; step < 1511; ++step)
    for (uint32_t element = 0; element < 19; ++element)
      for (uint32_t left = n.random.below(6); left > 3; --left)
        samples.events->events.push_back({step, element});
  samples.events->offsets.push_back(samples.events->events.size());
  expectInterpreter(finishLayers(n.events().dense(37, false, 0.3f)), samples, manySteps());
}

} // namespace
