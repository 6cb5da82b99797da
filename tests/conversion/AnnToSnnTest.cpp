// Conversion against a second evaluator: the rate of every network converges to its ANN.
#include "tests/conversion/AnnToSnnFixture.h"

namespace spindle {
namespace {

using test::AnnToSnn;
using test::rateError;
using test::Signal;

TEST_F(AnnToSnn, RatesConvergeToTheAnnUnderMaximumNormalisation) {
  // No activation is above its scale, so nothing saturates and the error falls as 1 / steps.
  for (bool perChannel : {false, true})
    for (PoolingChoice pooling : {PoolingChoice::Linear, PoolingChoice::Population}) {
      auto ann = parse(convolutional());
      std::vector<Signal> inputs;
      for (int k = 0; k < 5; ++k)
        inputs.push_back(randomInput(72));
      ConversionOptions options;
      options.method = ConversionMethod::Maximum;
      options.perChannel = perChannel;
      options.pooling = pooling;
      auto network = convertAnnToSnn(*ann, calibrate(*ann, inputs), options);
      ASSERT_TRUE(bool(network)) << toText(network.takeError());
      for (const Signal &input : inputs) {
        EXPECT_LT(rateError(*ann, *network->module, input, 4000), 0.02);
        EXPECT_GT(rateError(*ann, *network->module, input, 4), 1e-4) << "a spiking network rounds";
      }
    }
}

TEST_F(AnnToSnn, PopulationsCarryLayerNamesAndScales) {
  auto ann = parse(convolutional());
  ConversionOptions options;
  options.pooling = PoolingChoice::Population;
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {randomInput(72)}), options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  std::vector<std::string> names;
  for (const ConversionSummary::Layer &layer : network->summary.layers)
    names.push_back(layer.name + ":" + layer.neuron + ":" + std::to_string(layer.scale.size()));
  EXPECT_THAT(names, ::testing::ElementsAre("conv1:if:4", "pool1:if:0", "conv2:if:3",
                                            "dense3:integrator:1"));
}

TEST_F(AnnToSnn, LeakyNeuronsApproachIntegratorsAsTauGrows) {
  auto ann = parse(convolutional());
  Signal input = randomInput(72);
  Activations activations = calibrate(*ann, {input});
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  options.neuron = NeuronChoice::LeakyIntegrateAndFire;
  options.tauSteps = 1e6;
  auto slow = convertAnnToSnn(*ann, activations, options);
  options.tauSteps = 3;
  auto fast = convertAnnToSnn(*ann, activations, options);
  ASSERT_TRUE(slow && fast);
  EXPECT_LT(rateError(*ann, *slow->module, input, 2000), 0.02);
  EXPECT_GT(rateError(*ann, *fast->module, input, 2000), 0.02) << "a strong leak loses charge";
}

TEST_F(AnnToSnn, RectifiersWithoutWeightsBetweenThemGetAScale) {
  auto ann = parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n" +
                   constant("w", "2x2", 4, 0.1, 1) + R"(
  %1 = snn.relu %x : tensor<2xf32>
  %2 = snn.dense %1, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
})");
  Signal input = randomInput(2);
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {input}), options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  EXPECT_LT(rateError(*ann, *network->module, input, 2000), 0.01);
}

TEST_F(AnnToSnn, ScalesThatAConvolutionWouldMixGetAnOperationOfTheirOwn) {
  // Elements of one channel come from different neurons, each with a scale of its own.
  auto ann = parse("func.func @main(%x: tensor<4xf32>) -> tensor<1x1x1xf32> {\n" +
                   constant("w", "4x4", 16, 0.1, 1) + constant("k", "1x1x2x2", 4, 0.1, 1) + R"(
  %1 = snn.dense %x, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %2 = snn.relu %1 : tensor<4xf32>
  %3 = snn.reshape %2 : tensor<4xf32> -> tensor<1x2x2xf32>
  %4 = snn.conv2d %3, %k : (tensor<1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1xf32>
  return %4 : tensor<1x1x1xf32>
})");
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  Signal input = randomInput(4);
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {input}), options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  EXPECT_LT(rateError(*ann, *network->module, input, 4000), 0.01);
}

/// Two branches that meet in a sum and a join, max pooling of rectified sums, a clamped rectifier.
std::string branching(const std::string &constants) {
  return "func.func @main(%x: tensor<2x6x6xf32>) -> tensor<3xf32> {\n" + constants + R"(
  %1 = snn.conv2d %x, %w1, %b1 {padding = array<i64: 1, 1, 1, 1>, layer = "conv1"} : (tensor<2x6x6xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<4x6x6xf32>
  %2 = snn.relu %1 {layer = "conv1"} : tensor<4x6x6xf32>
  %3 = snn.max_pool2d %2 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<4x6x6xf32> -> tensor<4x3x3xf32>
  %4 = snn.conv2d %3, %w2 {padding = array<i64: 1, 1, 1, 1>, layer = "conv2"} : (tensor<4x3x3xf32>, tensor<4x4x3x3xf32>) -> tensor<4x3x3xf32>
  %5 = snn.relu %4 {layer = "conv2", maximum = 0.6 : f32} : tensor<4x3x3xf32>
  %6 = snn.conv2d %5, %w3, %b3 {padding = array<i64: 1, 1, 1, 1>, layer = "conv3"} : (tensor<4x3x3xf32>, tensor<4x4x3x3xf32>, tensor<4xf32>) -> tensor<4x3x3xf32>
  %7 = snn.add %6, %3 : (tensor<4x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  %8 = snn.relu %7 {layer = "add3"} : tensor<4x3x3xf32>
  %9 = snn.concat %8, %5 : (tensor<4x3x3xf32>, tensor<4x3x3xf32>) -> tensor<8x3x3xf32>
  %10 = snn.sum_pool2d %9 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>} : tensor<8x3x3xf32> -> tensor<8x1x1xf32>
  %11 = snn.reshape %10 : tensor<8x1x1xf32> -> tensor<8xf32>
  %12 = snn.dense %11, %w4 {layer = "dense4"} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3xf32>
  return %12 : tensor<3xf32>
})";
}

TEST_F(AnnToSnn, BranchesMeetInTheirOwnUnits) {
  for (bool perChannel : {false, true}) {
    auto ann = parse(branching(
        constant("w1", "4x2x3x3", 72, -0.3, 0.4) + constant("b1", "4", 4, -0.2, 0.2) +
        constant("w2", "4x4x3x3", 144, -0.2, 0.25) + constant("w3", "4x4x3x3", 144, -0.2, 0.3) +
        constant("b3", "4", 4, -0.2, 0.2) + constant("w4", "3x8", 24, -0.5, 0.5)));
    std::vector<Signal> inputs;
    for (int k = 0; k < 3; ++k)
      inputs.push_back(randomInput(72));
    ConversionOptions options;
    options.method = ConversionMethod::Maximum;
    options.perChannel = perChannel;
    auto network = convertAnnToSnn(*ann, calibrate(*ann, inputs), options);
    ASSERT_TRUE(bool(network)) << toText(network.takeError());
    for (const Signal &input : inputs)
      EXPECT_LT(rateError(*ann, *network->module, input, 8000), 0.02);
  }
}

TEST_F(AnnToSnn, ShiftsOfAPlanAddToTheActivations) {
  auto ann = parse(convolutional());
  Signal input = randomInput(72);
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  ConversionPlan plan = planFromActivations(calibrate(*ann, {input}), options);
  plan.layers[0].shift = {0.1f, 0, -0.05f, 0.2f};
  plan.layers[2].shift = {1, 2, 3};
  for (LayerPlan &layer : plan.layers)
    for (float &scale : layer.scale)
      scale *= 10; // room for the shifts
  auto network = convertAnnToSnn(*ann, plan, options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  // The same shifts as biases of the ANN.
  snn::Conv2dOp conv;
  ann->walk([&](snn::Conv2dOp op) { conv = conv ? conv : op; });
  std::vector<float> bias = *snn::constantFloats(conv.getBias());
  for (size_t k = 0; k < 4; ++k)
    bias[k] += plan.layers[0].shift[k];
  mlir::OpBuilder builder(conv);
  conv->setOperand(2, snn::makeConstant(builder, conv.getLoc(), {4}, bias));
  Signal expected = test::evaluate(*ann, input, 1);
  Signal found = test::evaluate(*network->module, input, 8000);
  for (size_t o = 0; o < 3; ++o)
    EXPECT_NEAR(found[o] / 8000, expected[o] + double(o + 1), 0.02);
}

/// Layers behind the last spikes stay: convolution, join and sum of what spikes and what does not,
/// with a plain answer.
TEST_F(AnnToSnn, TensorsBehindSpikesConvergeToTheAnn) {
  for (std::vector<std::string> tensor :
       std::vector<std::vector<std::string>>{{"add3"}, {"conv2", "add3"}, {"dense4"}}) {
    auto ann = parse(branching(
        constant("w1", "4x2x3x3", 72, -0.3, 0.4) + constant("b1", "4", 4, -0.2, 0.2) +
        constant("w2", "4x4x3x3", 144, -0.2, 0.25) + constant("w3", "4x4x3x3", 144, -0.2, 0.3) +
        constant("b3", "4", 4, -0.2, 0.2) + constant("w4", "3x8", 24, -0.5, 0.5)));
    Signal input = randomInput(72);
    ConversionOptions options;
    options.method = ConversionMethod::Maximum;
    options.steps = 4000;
    options.tensor = tensor;
    options.perChannel = false; // activations have no names here
    auto network = convertAnnToSnn(*ann, calibrate(*ann, {input}), options);
    ASSERT_TRUE(bool(network)) << tensor[0] << ": " << toText(network.takeError());
    Signal wanted = test::evaluate(*ann, input, 1),
           found = test::evaluate(*network->module, input, 4000);
    for (size_t o = 0; o < wanted.size(); ++o)
      EXPECT_NEAR(found[o], wanted[o], 0.02) << tensor[0]; // levels of eight bits
    EXPECT_EQ(network->summary.layers.back().neuron, kTensorAnswer);
  }
}

/// Counts are the levels of the activation the network was trained with.
TEST_F(AnnToSnn, CountedSpikesAreLevels) {
  auto ann = parse("func.func @main(%x: tensor<6xf32>) -> tensor<3xf32> {\n" +
                   constant("w", "8x6", 48, -0.5, 0.6) + constant("v", "3x8", 24, -1, 1) +
                   constant("b", "3", 3, -1, 1) + R"(
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<6xf32>, tensor<8x6xf32>) -> tensor<8xf32>
  %2 = snn.relu %1 {layer = "dense1", maximum = 0.7 : f32, levels = 5 : i64} : tensor<8xf32>
  %3 = snn.dense %2, %v, %b {layer = "dense2"} : (tensor<8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %3 : tensor<3xf32>
})");
  ConversionOptions options;
  options.steps = 5;
  options.tensor = {"dense2"};
  for (int k = 0; k < 50; ++k) {
    Signal input = randomInput(6);
    auto network = convertAnnToSnn(*ann, calibrate(*ann, {input}), options);
    ASSERT_TRUE(bool(network)) << toText(network.takeError());
    Signal wanted = test::evaluate(*ann, input, 1),
           found = test::evaluate(*network->module, input, 5);
    for (size_t o = 0; o < wanted.size(); ++o)
      EXPECT_NEAR(found[o], wanted[o], 1e-5);
  }
}

TEST_F(AnnToSnn, ClipFloorShiftActivationsAreExactInAsManyStepsAsLevels) {
  // Constant current into a membrane that starts at half a threshold: Bu et al., theorem 2.
  auto ann = parse("func.func @main(%x: tensor<6xf32>) -> tensor<3xf32> {\n" +
                   constant("w", "8x6", 48, -0.5, 0.6) + constant("v", "3x8", 24, -1, 1) + R"(
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<6xf32>, tensor<8x6xf32>) -> tensor<8xf32>
  %2 = snn.relu %1 {layer = "dense1", maximum = 0.7 : f32, levels = 5 : i64} : tensor<8xf32>
  %3 = snn.dense %2, %v {layer = "dense2"} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3xf32>
  return %3 : tensor<3xf32>
})");
  std::vector<Signal> inputs;
  for (int k = 0; k < 50; ++k)
    inputs.push_back(randomInput(6));
  auto network = convertAnnToSnn(*ann, calibrate(*ann, inputs), ConversionOptions());
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  EXPECT_FLOAT_EQ(float(network->summary.layers[0].scale[0]), 0.7f);
  for (const Signal &input : inputs) {
    EXPECT_LT(rateError(*ann, *network->module, input, 5), 1e-5);
    EXPECT_GT(rateError(*ann, *network->module, input, 7), 1e-5) << "other steps are not";
  }
}

} // namespace
} // namespace spindle
