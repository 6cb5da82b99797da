// Layer by layer, every spike and answer is that of the reference interpreter.
#include "lib/emulation/Emulation.h"
#include "lib/emulation/layers/LayersNetwork.h"
#include "tests/emulation/layers/LayerCases.h"
#include "tests/emulation/layers/Processors.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;

namespace {

class LayersCase : public ::testing::TestWithParam<LayersNetworkCase> {};

/// Steps of three blocks, or of two where a block holds as many steps as any: state is kept from
/// block to block.
int64_t severalBlocks(mlir::ModuleOp module) {
  constexpr size_t kMost = 150; // a block holds 128
  Network network = llvm::cantFail(readNetwork(module));
  std::string reason;
  auto compiled = llvm::cantFail(layers::LayersNetwork::compile(network, reason));
  return compiled ? int64_t(std::clamp<size_t>(3 * compiled->blockFor(kMost).steps, 60, kMost)) : 0;
}

/// More samples than a block holds, too.
TEST_P(LayersCase, EqualsTheInterpreter) {
  NetworkBuilder builder(GetParam().input, 5);
  GetParam().build(builder);
  mlir::ModuleOp module = builder.finish();
  ASSERT_TRUE(module);
  auto classes = static_cast<uint32_t>(snn::sizeOf(builder.last()));
  Samples samples = randomSamples(3, GetParam().input, 21, classes);
  for (float &value : samples.values)
    value = value < 0.3f ? 0 : value; // what never spikes is left out
  EmulationOptions options;
  options.steps = severalBlocks(module);
  options.seed = 0x123456789abcdef;
  options.recordSamples = 21;
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  ASSERT_GT(expected.trace.recorded[0].size(), 20u) << "a silent network would compare nothing";
  options.engine = EmulationEngine::Layers;
  onEveryProcessor([&] {
    EmulationResult found = llvm::cantFail(emulate(module, samples, options));
    EXPECT_EQ(found.trace, expected.trace);
    EXPECT_EQ(found.summary.engine, "layers");
    EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
    EXPECT_EQ(found.summary.confusion, expected.summary.confusion);
  });
}

/// Spikes are counted in bytes for 255 steps at most.
TEST(LayersCounts, GoOnBehindAByte) {
  NetworkBuilder builder({1, 4, 5});
  builder.poisson(0.9f)
      .conv(3, 2, 2, false)
      .integrateAndFire(snn::Reset::Subtract, {0.2f}, {0}, {0});
  builder.pool({2, 2}, {1, 1}).flatten().dense(3);
  fire(builder);
  builder.decode();
  mlir::ModuleOp module = builder.finish();
  Samples samples = randomSamples(3, {1, 4, 5}, 3, 3);
  EmulationOptions options;
  options.steps = 700;
  options.recordSamples = 0;
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  ASSERT_GT(*llvm::max_element(expected.trace.counts), 1200u);
  options.engine = EmulationEngine::Layers;
  EXPECT_EQ(llvm::cantFail(emulate(module, samples, options)).trace.counts, expected.trace.counts);
}

std::string nameOf(const ::testing::TestParamInfo<LayersNetworkCase> &each) {
  return each.param.name;
}

INSTANTIATE_TEST_SUITE_P(FeedForward, LayersCase, ::testing::ValuesIn(feedForwardCases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Images, LayersCase, ::testing::ValuesIn(imageCases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Recurrent, LayersCase, ::testing::ValuesIn(recurrentCases()), nameOf);

} // namespace
