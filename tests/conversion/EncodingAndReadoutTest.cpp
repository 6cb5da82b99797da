// What goes into a converted network and how its answers are read: spikes, counts, times.
#include "tests/conversion/AnnToSnnFixture.h"

namespace spindle {
namespace {

using test::AnnToSnn;
using test::Signal;

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

TEST_F(AnnToSnn, PoissonEncodingSpikesAtTheInput) {
  auto ann = parse(convolutional());
  Activations activations = calibrate(*ann, {randomInput(72)});
  ConversionOptions options;
  options.encoding = InputEncoding::Poisson;
  auto network = convertAnnToSnn(*ann, activations, options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  snn::EncodeOp encode;
  network->module->walk([&](snn::EncodeOp op) { encode = op; });
  ASSERT_TRUE(encode);
  EXPECT_EQ(encode.getEncoding(), snn::Encoding::Poisson);
  EXPECT_EQ(encode.getMaximum().convertToFloat(), activations.inputMaximum);
  EXPECT_EQ(snn::sizeOf(encode.getOutput()), 72);
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
        options.encoding = InputEncoding::Latency;
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

/// Sums, joins and means of rectified layers answer as layers with weights do.
TEST_F(AnnToSnn, RectifiedLayersAnswerTogether) {
  const std::pair<const char *, const char *> endings[] = {
      {"add1", "%7 = snn.add %2, %4 {layer = \"add1\"} : (tensor<8xf32>, tensor<8xf32>) -> "
               "tensor<8xf32>\n"},
      {"concat1",
       "%7 = snn.concat %2, %3 {layer = \"concat1\"} : (tensor<8xf32>, tensor<8xf32>) -> "
       "tensor<16xf32>\n"},
      {"answer", "%5 = snn.reshape %2 : tensor<8xf32> -> tensor<2x2x2xf32>\n"
                 "%6 = snn.avg_pool2d %5 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, "
                 "layer = \"pool1\"} : tensor<2x2x2xf32> -> tensor<2x1x1xf32>\n"
                 "%7 = snn.reshape %6 : tensor<2x1x1xf32> -> tensor<2xf32>\n"}};
  for (auto [name, ending] : endings) {
    std::string text = ending, type = text.substr(text.rfind("tensor<"));
    type.pop_back();
    auto ann = parse("func.func @main(%x: tensor<4xf32>) -> " + type + " {\n" +
                     constant("w", "8x4", 32, 0.1, 1) + constant("v", "8x4", 32, -0.2, 2) + R"(
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<8xf32>
  %3 = snn.dense %x, %v {layer = "dense2"} : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  %4 = snn.relu %3 {layer = "dense2"} : tensor<8xf32>
)" + text +
                     "return %7 : " + type + "\n}");
    Signal input = randomInput(4);
    Activations activations = calibrate(*ann, {input});
    Signal expected = test::evaluate(*ann, input, 1);
    for (DecodingChoice decoding : {DecodingChoice::Membrane, DecodingChoice::Count}) {
      ConversionOptions options;
      options.method = ConversionMethod::Maximum;
      options.decoding = decoding;
      auto network = convertAnnToSnn(*ann, activations, options);
      ASSERT_TRUE(bool(network)) << toText(network.takeError());
      EXPECT_EQ(network->summary.layers.back().name, name);
      double scale = network->summary.layers.back().scale.at(0);
      Signal found = test::evaluate(*network->module, input, 4000);
      ASSERT_EQ(found.size(), expected.size());
      bool isCount = decoding == DecodingChoice::Count;
      for (size_t o = 0; o < expected.size(); ++o)
        EXPECT_NEAR(found[o] / 4000 * scale, isCount ? std::max(expected[o], 0.0) : expected[o],
                    0.02)
            << name;
    }
  }
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
  auto network = convertAnnToSnn(*ann, activations, options);
  ASSERT_TRUE(bool(network)) << toText(network.takeError());
  ASSERT_EQ(network->summary.layers.size(), 1u);
  ASSERT_EQ(network->summary.layers[0].scale.size(), 1u);
  Signal expected = test::evaluate(*ann, input, 1);
  Signal found = test::evaluate(*network->module, input, 2000);
  for (size_t o = 0; o < 3; ++o)
    EXPECT_NEAR(found[o] / 2000 * network->summary.layers[0].scale[0], expected[o], 0.01);
}

} // namespace
} // namespace spindle
