// What conversion refuses, with the text of each error.
#include "tests/conversion/AnnToSnnFixture.h"

namespace spindle {
namespace {

using test::AnnToSnn;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(AnnToSnn, RefusesOperationsWithoutCounterpart) {
  EXPECT_THAT(errorOf(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.negf %x : tensor<2xf32>
  return %0 : tensor<2xf32>
})"),
              HasSubstr(":2:8: error: arith.negf has no spiking counterpart; supported:"));
}

TEST_F(AnnToSnn, RefusesNetworksWithoutLayers) {
  EXPECT_THAT(errorOf(R"(func.func @main(%x: tensor<1x2x2xf32>) -> tensor<4xf32> {
  %0 = snn.reshape %x : tensor<1x2x2xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
})"),
              HasSubstr(":3:3: error: the result of the network is its input, expected layers in "
                        "between"));
}

TEST_F(AnnToSnn, RefusesAnotherMain) {
  EXPECT_THAT(errorOf("func.func @other(%x: tensor<2xf32>) { return }"),
              HasSubstr("expected a function @main with one input and one result"));
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
                   constant("w", "4x4", 16, 0.1, 1) + constant("v", "1x1", 1, 0.1, 1) + R"(
  %1 = snn.dense %x, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %2 = snn.relu %1 : tensor<4xf32>
  %3 = snn.reshape %2 : tensor<4xf32> -> tensor<1x2x2xf32>
  %4 = snn.max_pool2d %3 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x2x2xf32> -> tensor<1x1x1xf32>
  %5 = snn.reshape %4 : tensor<1x1x1xf32> -> tensor<1xf32>
  %6 = snn.dense %5, %v : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
  return %6 : tensor<1xf32>
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

TEST_F(AnnToSnn, RefusesTensorLayersThatAreNone) {
  ConversionOptions options;
  options.tensor = {"dense3"};
  EXPECT_THAT(
      errorOf(perceptron(3), options),
      HasSubstr("conversion: error: tensor names 'dense3', expected layers with a rectifier "
                "behind them, or the last one: dense1, dense2"));
  options.tensor = {"dense1", "dense2"};
  EXPECT_THAT(errorOf(perceptron(3), options),
              HasSubstr("conversion: error: tensor names the last layer, 'dense2', but none in "
                        "front of it spikes, expected one that does"));
  options.tensor = {"dense2"};
  options.steps = 1 << 23;
  options.maxSpikes = 3;
  EXPECT_THAT(errorOf(perceptron(3), options),
              HasSubstr("conversion: error: tensor counts up to 25165824 spikes of a neuron in "
                        "8388608 steps, expected at most 16777216; fewer emulation.steps or "
                        "max_spikes"));
  options = {};
  std::string twice = convolutional();
  size_t end = twice.find("%6 = ");
  twice.insert(end, "%r = snn.relu %5 {layer = \"again\"} : tensor<3x2x2xf32>\n");
  twice.replace(twice.find("reshape %5"), 10, "reshape %r");
  options.tensor = {"conv2"};
  EXPECT_THAT(errorOf(twice, options),
              HasSubstr("error: layer 'again' spikes behind tensor layers that read spikes, "
                        "expected it in conversion.tensor, too"));
  options.decoding = DecodingChoice::Count;
  EXPECT_THAT(errorOf(convolutional(), options),
              HasSubstr("conversion: error: decoding reads spikes of the last layer, which is a "
                        "tensor layer behind layers that spike, expected decoding: membrane"));
  options.decoding = DecodingChoice::Membrane;
  options.tensor = {"conv1"};
  options.encoding = InputEncoding::Poisson;
  EXPECT_THAT(errorOf(convolutional(), options),
              HasSubstr("conversion: error: tensor names layers that read the input, which "
                        "emulation.encoding makes spikes of, expected encoding: direct, or a "
                        "layer that spikes before them"));
  options.method = ConversionMethod::FirstSpike;
  EXPECT_THAT(errorOf(convolutional(), options),
              HasSubstr("which needs another method than first_spike"));
}

/// Sums that one layer takes as spikes and another one counted: neither spikes nor a rectifier are
/// between them.
TEST_F(AnnToSnn, RefusesTensorsOfCurrents) {
  ConversionOptions options;
  options.tensor = {"b"};
  EXPECT_THAT(errorOf("func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {\n" +
                          constant("w", "4x4", 16, -1, 1) + constant("v", "2x4", 8, -1, 1) + R"(
  %1 = snn.relu %x {layer = "input"} : tensor<4xf32>
  %2 = snn.dense %1, %w {layer = "sums"} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %3 = snn.relu %2 {layer = "a"} : tensor<4xf32>
  %4 = snn.relu %2 {layer = "b"} : tensor<4xf32>
  %5 = snn.add %3, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = snn.dense %5, %v {layer = "last"} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  return %6 : tensor<2xf32>
})",
                      options),
              HasSubstr("reads sums that layers which spike read, too, and leads to layers of "
                        "conversion.tensor, expected a rectifier in between"));
}

/// A rectifier at the end has nothing behind it that could spike.
TEST_F(AnnToSnn, RefusesATensorAtTheEnd) {
  auto ann = parse(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<1.0> : tensor<2x2xf32>
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<2xf32>
  return %2 : tensor<2xf32>
})");
  ConversionOptions options;
  options.tensor = {"dense1"};
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {randomInput(2)}), options);
  EXPECT_THAT(toText(network.takeError()),
              HasSubstr("layer 'dense1' of conversion.tensor is the last one"));
}

TEST_F(AnnToSnn, RefusesLatencyWithoutItsMethod) {
  auto ann = parse(convolutional());
  ConversionOptions options;
  options.encoding = InputEncoding::Latency;
  auto network = convertAnnToSnn(*ann, calibrate(*ann, {randomInput(72)}), options);
  ASSERT_FALSE(bool(network));
  EXPECT_THAT(toText(network.takeError()), HasSubstr("only conversion.method: first_spike reads"));
}

TEST_F(AnnToSnn, RefusesPoissonWithoutPositiveInput) {
  auto ann = parse(convolutional());
  Activations activations = calibrate(*ann, {randomInput(72)});
  activations.inputMaximum = 0;
  ConversionOptions options;
  options.encoding = InputEncoding::Poisson;
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
