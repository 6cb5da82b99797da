// Networks drawn at random from all layers: the same spikes layer by layer, by lanes and from the
// reference interpreter, in f32 and in fixed point.
#include "tests/emulation/layers/RandomNetwork.h"
#include "lib/emulation/Emulation.h"
#include "tests/emulation/layers/Processors.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::test;

namespace {

struct Drawn {
  uint64_t seed;
  bool inFixedPoint;
};

void PrintTo(const Drawn &each, std::ostream *os) { *os << "seed " << each.seed; }

class LayersRandom : public ::testing::TestWithParam<Drawn> {};

TEST_P(LayersRandom, EqualsInterpreterAndLanes) {
  const auto &[seed, inFixedPoint] = GetParam();
  RandomNetwork network(seed, inFixedPoint, /*isRecurrent=*/inFixedPoint);
  mlir::ModuleOp module = network.finish();
  ASSERT_TRUE(module);
  Samples samples = randomSamples(seed, network.shapeOfInput(), 3, 4);
  EmulationOptions options;
  options.steps = 60;
  options.seed = 9;
  options.recordSamples = 3;
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  for (EmulationEngine engine : {EmulationEngine::Layers, EmulationEngine::Lanes}) {
    options.engine = engine;
    onTwoProcessors(seed, [&] {
      EmulationResult found = llvm::cantFail(emulate(module, samples, options));
      EXPECT_EQ(found.trace, expected.trace);
      EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
      EXPECT_EQ(found.summary.confusion, expected.summary.confusion);
    });
  }
  size_t first = expected.trace.populations.front().size; // of the neurons behind the encoder
  size_t spikes = 0;
  for (const Spike &spike : expected.trace.recorded[0])
    spikes += spike.neuron >= first;
  EXPECT_GT(spikes, 20u) << "a silent network would compare nothing";
}

std::vector<Drawn> drawn() {
  std::vector<Drawn> all;
  for (uint64_t seed = 1; seed <= 24; ++seed)
    all.push_back({seed, seed % 3 == 0});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Networks, LayersRandom, ::testing::ValuesIn(drawn()));

} // namespace
