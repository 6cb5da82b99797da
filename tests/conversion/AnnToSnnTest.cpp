// Conversion against a second evaluator: the rate of every network converges to its ANN.
#include "lib/conversion/ann-to-snn/AnnToSnn.h"

#include "core/support/CounterRandom.h"
#include "tests/conversion/NetworkEvaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "fmt/format.h"
#include <gmock/gmock.h>

#include <algorithm>

namespace spindle {
namespace {

using test::Signal;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class AnnToSnn : public ::testing::Test {
protected:
  AnnToSnn() {
    context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &body) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(body, &context);
    EXPECT_TRUE(module) << body;
    return module;
  }

  std::string constant(const std::string &name, const std::string &shape, int count, double low,
                       double high) {
    std::string values;
    for (int k = 0; k < count; ++k)
      values += hex(low + (high - low) * random.uniform());
    return fmt::format("  %{} = arith.constant dense<\"0x{}\"> : tensor<{}xf32>\n", name, values,
                       shape);
  }

  static std::string hex(double value) {
    float f = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return fmt::format("{:02X}{:02X}{:02X}{:02X}", bits & 255, bits >> 8 & 255, bits >> 16 & 255,
                       bits >> 24);
  }

  Signal randomInput(size_t size) {
    Signal input(size);
    for (double &value : input)
      value = static_cast<float>(random.uniform());
    return input;
  }

  /// What `collectActivations` of the emulator gives, by the second evaluator.
  Activations calibrate(mlir::ModuleOp ann, const std::vector<Signal> &inputs) {
    auto function = ann.lookupSymbol<mlir::func::FuncOp>("main");
    Activations result;
    result.samples = inputs.size();
    function.walk([&](snn::ReluOp relu) {
      result.layers.push_back({"", snn::shapeOf(relu.getOutput()).vec(), {}});
    });
    result.layers.push_back({"", snn::shapeOf(function.getResultTypes()[0]).vec(), {}});
    for (const Signal &input : inputs) {
      std::vector<Signal> signals;
      Signal answer = test::evaluate(ann, input, 1, &signals);
      signals.push_back(answer);
      for (size_t layer = 0; layer < signals.size(); ++layer)
        result.layers[layer].values.insert(result.layers[layer].values.end(),
                                           signals[layer].begin(), signals[layer].end());
      for (double value : input)
        result.inputMaximum = std::max(result.inputMaximum, static_cast<float>(value));
    }
    return result;
  }

  std::string errorOf(const std::string &body, ConversionOptions options = {}) {
    auto ann = parse(body);
    Activations activations;
    activations.inputMaximum = 1;
    ann->walk([&](snn::ReluOp relu) {
      activations.layers.push_back({"", snn::shapeOf(relu.getOutput()).vec(), {}});
    });
    activations.layers.push_back({"", {2}, {}});
    auto network = convertAnnToSnn(*ann, activations, options);
    return network ? "" : toText(network.takeError());
  }

  std::string convolutional() {
    return "func.func @main(%x: tensor<2x6x6xf32>) -> tensor<3xf32> {\n" +
           constant("w1", "4x2x3x3", 72, -0.4, 0.5) + constant("b1", "4", 4, -0.2, 0.2) +
           constant("w2", "3x4x2x2", 48, -0.4, 0.5) + constant("w3", "3x12", 36, -0.5, 0.5) +
           constant("b3", "3", 3, -0.1, 0.1) + R"(
  %1 = snn.conv2d %x, %w1, %b1 {padding = array<i64: 1, 1, 1, 1>, layer = "conv1"} : (tensor<2x6x6xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<4x6x6xf32>
  %2 = snn.relu %1 {layer = "conv1"} : tensor<4x6x6xf32>
  %3 = snn.avg_pool2d %2 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<4x6x6xf32> -> tensor<4x3x3xf32>
  %4 = snn.conv2d %3, %w2 {layer = "conv2"} : (tensor<4x3x3xf32>, tensor<3x4x2x2xf32>) -> tensor<3x2x2xf32>
  %5 = snn.relu %4 {layer = "conv2"} : tensor<3x2x2xf32>
  %6 = snn.reshape %5 : tensor<3x2x2xf32> -> tensor<12xf32>
  %7 = snn.dense %6, %w3, %b3 {layer = "dense3"} : (tensor<12xf32>, tensor<3x12xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %7 : tensor<3xf32>
})";
  }

  mlir::MLIRContext context;
  CounterRandom random{7};
};

/// Largest difference between the ANN's answer and the spiking network's mean current into the
/// readout.
double rateError(mlir::ModuleOp ann, mlir::ModuleOp spiking, const Signal &input, int steps) {
  Signal expected = test::evaluate(ann, input, 1);
  Signal found = test::evaluate(spiking, input, steps);
  double error = 0;
  for (size_t o = 0; o < expected.size(); ++o)
    error = std::max(error, std::abs(found[o] / steps - expected[o]));
  return error;
}

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

TEST_F(AnnToSnn, CountsOfTheLastLayerFollowThePositiveAnswers) {
  auto ann = parse(convolutional());
  Signal input = randomInput(72);
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  options.decoding = DecodingChoice::Count;
  Activations activations = calibrate(*ann, {input});
  auto network = convertAnnToSnn(*ann, activations, options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  Signal expected = test::evaluate(*ann, input, 1);
  Signal found = test::evaluate(*network->module, input, 4000);
  double scale = network->summary.layers.back().scale.at(0);
  for (size_t o = 0; o < expected.size(); ++o)
    EXPECT_NEAR(found[o] / 4000 * scale, std::max(expected[o], 0.0), 0.02);
  EXPECT_EQ(network->summary.layers.back().neuron, "if");
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

TEST_F(AnnToSnn, PoissonEncodingSpikesAtTheInput) {
  auto ann = parse(convolutional());
  Activations activations = calibrate(*ann, {randomInput(72)});
  ConversionOptions options;
  options.encoding = EncodingChoice::Poisson;
  auto network = convertAnnToSnn(*ann, activations, options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  snn::EncodeOp encode;
  network->module->walk([&](snn::EncodeOp op) { encode = op; });
  ASSERT_TRUE(encode);
  EXPECT_EQ(encode.getEncoding(), snn::Encoding::Poisson);
  EXPECT_EQ(encode.getMaximum().convertToFloat(), activations.inputMaximum);
  EXPECT_EQ(snn::sizeOf(encode.getOutput()), 72);
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

TEST_F(AnnToSnn, RefusesOperationsWithoutCounterpart) {
  EXPECT_THAT(errorOf(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.negf %x : tensor<2xf32>
  return %0 : tensor<2xf32>
})"),
              HasSubstr(":2:8: error: arith.negf has no spiking counterpart; supported:"));
}

/// Behind a rectifier at the end, or a maximum or another arrangement of one, there are no
/// membranes to read: spikes are counted, of first_spike their times are read. That is a warning.
TEST_F(AnnToSnn, ARectifierAtTheEndIsCounted) {
  struct Case {
    const char *end, *shape;
  };
  for (const Case &each :
       {Case{"%2 = snn.reshape %1 : tensor<1x2x2xf32> -> tensor<4xf32>", "4"},
        Case{"%2 = snn.max_pool2d %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : "
             "tensor<1x2x2xf32> -> tensor<1x1x1xf32>",
             "1x1x1"}})
    for (ConversionMethod method : {ConversionMethod::Maximum, ConversionMethod::FirstSpike}) {
      auto ann = parse(fmt::format("func.func @main(%x: tensor<1x2x2xf32>) -> tensor<{0}xf32> {{\n"
                                   "  %1 = snn.relu %x : tensor<1x2x2xf32>\n  {1}\n"
                                   "  return %2 : tensor<{0}xf32>\n}}",
                                   each.shape, each.end));
      ConversionOptions options;
      options.method = method;
      if (method == ConversionMethod::FirstSpike)
        options.encoding = EncodingChoice::Latency;
      std::string warning;
      mlir::ScopedDiagnosticHandler handler(
          &context, [&](mlir::Diagnostic &diagnostic) { warning += diagnostic.str(); });
      warnOfRectifierAtEnd(*ann, options);
      EXPECT_EQ(warning, std::string("the network ends in a rectifier, which has no membranes to "
                                     "read; ") +
                             (method == ConversionMethod::FirstSpike
                                  ? "the times of its spikes are read (conversion.decoding: "
                                    "first_spike)"
                                  : "its spikes are counted (conversion.decoding: count)"));
      Signal input = randomInput(4);
      auto network = convertAnnToSnn(*ann, calibrate(*ann, {input}), options);
      ASSERT_TRUE(bool(network)) << toText(network.takeError());
      snn::DecodeOp decode;
      network->module->walk([&](snn::DecodeOp op) { decode = op; });
      ASSERT_TRUE(decode);
      EXPECT_EQ(decode.getDecoding(), method == ConversionMethod::FirstSpike
                                          ? snn::Decoding::FirstSpike
                                          : snn::Decoding::Count);
      if (method == ConversionMethod::Maximum) { // the largest activation spikes in every step
        Signal expected = test::evaluate(*ann, input, 1),
               found = test::evaluate(*network->module, input, 2000);
        double largest = *std::max_element(input.begin(), input.end());
        for (size_t o = 0; o < expected.size(); ++o)
          EXPECT_NEAR(found[o] / 2000, expected[o] / largest, 0.01);
      }
      options.decoding = DecodingChoice::Count; // asked for: nothing to say
      warning.clear();
      warnOfRectifierAtEnd(*ann, options);
      EXPECT_EQ(warning, "");
    }
}

TEST_F(AnnToSnn, RefusesAnotherMain) {
  EXPECT_THAT(errorOf("func.func @other(%x: tensor<2xf32>) { return }"),
              HasSubstr("expected a function @main with one input and one result"));
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

TEST_F(AnnToSnn, FirstSpikesSayTheActivationsInTheirTimes) {
  // Biases, pooling and signed weights; the error falls as one over the window.
  auto ann = parse(convolutional());
  Signal input = randomInput(72);
  Activations activations = calibrate(*ann, {input});
  ConversionOptions options;
  options.method = ConversionMethod::FirstSpike;
  options.percentile = 100;
  for (int window : {50, 1000}) {
    options.steps = 3 * window; // the input and two layers
    auto network = convertAnnToSnn(*ann, activations, options);
    ASSERT_TRUE(bool(network)) << toText(network.takeError());
    Signal expected = test::evaluate(*ann, input, 1);
    Signal found = test::evaluate(*network->module, input, 3 * window);
    for (size_t o = 0; o < expected.size(); ++o)
      EXPECT_NEAR(found[o], expected[o], 5.0 / window) << window;
  }
}

TEST_F(AnnToSnn, RefusesFirstSpikesOfUnequalDepth) {
  ConversionOptions options;
  options.method = ConversionMethod::FirstSpike;
  std::string add = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n" +
                    constant("w", "2x2", 4, 0.1, 1) + R"(
  %d = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %0 = snn.relu %d : tensor<2xf32>
  %1 = snn.add %x, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
})";
  EXPECT_THAT(errorOf(add, options),
              HasSubstr("snn.add joins signals of different depth, which first_spike cannot time; "
                        "choose another conversion.method"));
  options.steps = 1;
  EXPECT_THAT(errorOf(add, options), HasSubstr("emulation.steps is 1, expected at least 2"));
}

TEST_F(AnnToSnn, RefusesMaximaOfSums) {
  std::string body = R"(
  %1 = snn.conv2d %0, %w : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x2xf32>
  %2 = snn.max_pool2d %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<2x2x2xf32> -> tensor<2x1x1xf32>
  %3 = snn.reshape %2 : tensor<2x1x1xf32> -> tensor<2xf32>
  return %3 : tensor<2xf32>
})";
  EXPECT_THAT(errorOf("func.func @main(%x: tensor<1x2x2xf32>) -> tensor<2xf32> {\n" +
                      constant("w", "2x1x1x1", 2, 0.1, 1) + "%0 = snn.relu %x : tensor<1x2x2xf32>" +
                      body),
              HasSubstr("snn.max_pool2d reads sums that no rectifier follows"));
}

TEST_F(AnnToSnn, RefusesMaximaOfDifferentScales) {
  auto ann = parse("func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {\n" +
                   constant("w", "4x4", 16, 0.1, 1) + R"(
  %1 = snn.dense %x, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %2 = snn.relu %1 : tensor<4xf32>
  %3 = snn.reshape %2 : tensor<4xf32> -> tensor<1x2x2xf32>
  %4 = snn.max_pool2d %3 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x2x2xf32> -> tensor<1x1x1xf32>
  %5 = snn.reshape %4 : tensor<1x1x1xf32> -> tensor<1xf32>
  return %5 : tensor<1xf32>
})");
  ConversionOptions options;
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {randomInput(4)}), options);
  ASSERT_FALSE(bool(network));
  EXPECT_THAT(toText(network.takeError()),
              HasSubstr("snn.max_pool2d compares neurons of different scale; set "
                        "conversion.per_channel: false"));
}

TEST_F(AnnToSnn, RefusesSeveralSpikesWithResetToZero) {
  ConversionOptions options;
  options.maxSpikes = 2;
  options.reset = ResetChoice::Zero;
  EXPECT_THAT(
      errorOf("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
              "  %0 = snn.relu %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
              options),
      StartsWith(
          "conversion: error: conversion.max_spikes above one needs conversion.reset: subtract"));
}

TEST_F(AnnToSnn, CountsOfAFinalRectifierShareOneScale) {
  auto ann = parse("func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {\n" +
                   constant("w", "3x4", 12, 0.1, 1) + R"(
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<3xf32>
  return %2 : tensor<3xf32>
})");
  EXPECT_TRUE(endsInRectifier(*ann));
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  options.decoding = DecodingChoice::Count;
  Signal input = randomInput(4);
  Activations activations = calibrate(*ann, {input});
  activations.layers.pop_back(); // the rectifier is the last layer
  auto network = convertAnnToSnn(*ann, activations, options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  ASSERT_EQ(network->summary.layers.size(), 1u);
  ASSERT_EQ(network->summary.layers[0].scale.size(), 1u);
  Signal expected = test::evaluate(*ann, input, 1);
  Signal found = test::evaluate(*network->module, input, 2000);
  for (size_t o = 0; o < 3; ++o)
    EXPECT_NEAR(found[o] / 2000 * network->summary.layers[0].scale[0], expected[o], 0.01);
}

TEST_F(AnnToSnn, RefusesLatencyWithoutItsMethod) {
  auto ann = parse(convolutional());
  ConversionOptions options;
  options.encoding = EncodingChoice::Latency;
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {randomInput(72)}), options);
  ASSERT_FALSE(bool(network));
  EXPECT_THAT(toText(network.takeError()), HasSubstr("only conversion.method: first_spike reads"));
}

TEST_F(AnnToSnn, RefusesPoissonWithoutPositiveInput) {
  auto ann = parse(convolutional());
  Activations activations = calibrate(*ann, {randomInput(72)});
  activations.inputMaximum = 0;
  ConversionOptions options;
  options.encoding = EncodingChoice::Poisson;
  auto network = convertAnnToSnn(*ann, activations, options);
  ASSERT_FALSE(bool(network));
  EXPECT_THAT(toText(network.takeError()),
              StartsWith("conversion: error: encoding by spikes needs a positive input value in "
                         "the calibration set, found none; "));
}

TEST_F(AnnToSnn, RefusesActivationsOfAnotherNetwork) {
  auto ann = parse(convolutional());
  auto network = convertAnnToSnn(*ann, Activations(), ConversionOptions());
  ASSERT_FALSE(bool(network));
  llvm::Error error = network.takeError();
  EXPECT_EQ(kindOf(error), ErrorKind::Check);
  EXPECT_THAT(toText(std::move(error)), HasSubstr("do not belong to this network"));
}

} // namespace
} // namespace spindle
