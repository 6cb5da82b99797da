// What `integers: all` refuses, and what it says.
#include "lib/conversion/fixed-point/FixedPointNetwork.h"
#include "lib/conversion/fixed-point/IntegerCheck.h"

#include "dialects/snn/Snn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>

namespace spindle {

namespace {

using ::testing::HasSubstr;

/// The refusal of a network of two pixels; "" where there is none.
std::string refusalOf(const std::string &body, FixedPointOptions options = {},
                      FixedPointUse use = {{{0.0f, 1.0f}}, 8}) {
  options.integers = IntegerReach::All;
  mlir::MLIRContext context;
  context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "!spikes = !snn.spike_bundle<2x!snn.spike_train<?xf32>>\n"
      "!current = !snn.current<2xf32>\n"
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %w = arith.constant dense<[[1.0, 0.5], [0.25, 1.0]]> : tensor<2x2xf32>\n" +
          body + "}\n",
      &context);
  EXPECT_TRUE(module) << body;
  llvm::Error error = toFixedPoint(*module, options, use);
  return error ? llvm::toString(std::move(error)) : "";
}

const std::string kDirect = R"(
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %2 = snn.encode direct %1 : tensor<2xf32> -> !current
)";
const std::string kCounted = R"(
  %9 = snn.decode count %3 : !spikes -> tensor<2xf32>
  return %9 : tensor<2xf32>
)";
const std::string kFires = R"(
  %3 = snn.if %2 reset subtract {threshold = array<f32: 1.0>, layer = "dense1"} : !current -> !spikes
)";

TEST(IntegerErrors, AWholeNetworkIsAccepted) {
  EXPECT_EQ(refusalOf(kDirect + kFires + kCounted), "");
}

TEST(IntegerErrors, ARangeIsNeeded) {
  EXPECT_EQ(refusalOf(kDirect + kFires + kCounted, {}, {}),
            "fixed_point: error: integers: all needs the range of the input, and there is no "
            "calibration to take it from; give input_range: [least, greatest]");
  FixedPointOptions options;
  options.inputRange = {0, 1};
  EXPECT_EQ(refusalOf(kDirect + kFires + kCounted, options, {}), "");
}

TEST(IntegerErrors, ASecondLayerOnTheHost) {
  EXPECT_THAT(
      refusalOf(R"(
  %0 = snn.dense %x, %w {layer = "dense0"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %m = snn.relu %0 {layer = "dense0"} : tensor<2xf32>
  %1 = snn.dense %m, %w {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %2 = snn.encode direct %1 : tensor<2xf32> -> !current
)" + kFires + kCounted),
      AllOf(HasSubstr("fixed_point: error: layer 'dense0' stays in f32: it has the weight "),
            HasSubstr("; integers: all expects one layer of weights between populations")));
}

TEST(IntegerErrors, ANeuronOfAnotherKind) {
  EXPECT_THAT(refusalOf(kDirect + R"(
  %3 = snn.if %2 reset zero {threshold = array<f32: 1.0>, discretization = #snn<discretization exact_crossing>, layer = "dense1"} : !current -> !spikes
)" + kCounted),
              HasSubstr("layer 'dense1' has no counterpart in fixed point, expected snn.if or "
                        "snn.lif on the grid of steps, snn.cuba_lif (euler), snn.integrator or "
                        "snn.li"));
  EXPECT_THAT(refusalOf(kDirect + R"(
  %3 = snn.first_spike %2 {start = 2 : i64, window = 2 : i64, layer = "dense1"} : !current -> !spikes
)" + kCounted),
              HasSubstr("layer 'dense1' cannot follow integer weights, expected neurons with one "
                        "current and a threshold in its unit; use another conversion.method than "
                        "first_spike"));
}

TEST(IntegerErrors, AnAverageBeyondTheImage) {
  EXPECT_THAT(
      refusalOf(R"(
  %0 = snn.encode regular %x : tensor<2xf32> -> !spikes
  %i = snn.reshape %0 : !spikes -> !snn.spike_bundle<1x1x2x!snn.spike_train<?xf32>>
  %a = snn.avg_pool2d %i {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>, padding = array<i64: 0, 1, 0, 1>, count_include_pad = false, layer = "pool1"}
    : !snn.spike_bundle<1x1x2x!snn.spike_train<?xf32>> -> !snn.current<1x1x2xf32>
  %b = snn.reshape %a : !snn.current<1x1x2xf32> -> !current
  %2 = snn.dense %b, %w {layer = "dense1"} : (!current, tensor<2x2xf32>) -> !current
)" + kFires + kCounted),
      HasSubstr(
          "layer 'pool1' stays in f32: it averages, and no layer behind it takes the division; "
          "integers: all expects whole windows"));
}

TEST(IntegerErrors, SumsWiderThanTheAccumulator) {
  FixedPointOptions options;
  options.accumulatorBits = 12; // 255 · 127 · 1.5
  EXPECT_EQ(refusalOf(kDirect + kFires + kCounted, options),
            "fixed_point: error: the sums of layer 'dense1' lie from 0 to 48705 and need 17 bits, "
            "expected at most 12; use fewer weight_bits or more accumulator_bits");
}

TEST(IntegerErrors, SumsWiderThanTheEmulator) {
  FixedPointOptions options;
  options.weightBits = 16;
  options.inputBits = 12;
  EXPECT_THAT(refusalOf(kDirect + kFires + kCounted, options),
              AllOf(HasSubstr("the sums of layer 'dense1' may reach "),
                    HasSubstr(", expected at most 16777216, up to which sums are exact; use fewer "
                              "weight_bits or input_bits")));
}

TEST(IntegerErrors, BitsOfAnUnknownLayer) {
  FixedPointOptions options;
  options.bitsOf = {{"dense7", 4}};
  EXPECT_EQ(refusalOf(kDirect + kFires + kCounted, options),
            "fixed_point: error: weight_bits are given for the layer 'dense7', expected one with "
            "weights before a population");
}

/// Sums are as wide as one spike of each input needs.
TEST(IntegerErrors, EventsThatComeSeveralTimesInAStep) {
  const std::string events = R"(
  %0 = snn.encode events %x : tensor<2xf32> -> !spikes
  %2 = snn.dense %0, %w {layer = "dense1"} : (!spikes, tensor<2x2xf32>) -> !current
)";
  FixedPointUse use{{{0.0f, 1.0f}}, 8, /*repeatsEvents=*/true};
  EXPECT_EQ(refusalOf(events + kFires + kCounted, {}, use),
            "fixed_point: error: integers: all needs events that come once in a step, for the "
            "widths of sums, and an element of the data set may have several; give "
            "dataset.binary: true");
  use.repeatsEvents = false;
  EXPECT_EQ(refusalOf(events + kFires + kCounted, {}, use), "");
}

/// The check by itself: networks that no pass brought into fixed point.
std::string checkOf(const std::string &body) {
  mlir::MLIRContext context;
  context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "!spikes = !snn.spike_bundle<2x!snn.spike_train<?xf32>>\n"
      "!current = !snn.current<2xf32>\n"
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %w = arith.constant dense<1.0> : tensor<2x2xf32>\n"
      "  %one = arith.constant dense<1.0> : tensor<2xf32>\n"
      "  %half = arith.constant dense<0.5> : tensor<2xf32>\n" +
          body + "}\n",
      &context);
  EXPECT_TRUE(module) << body;
  llvm::Error error = checkIntegers(*module, 25);
  return error ? llvm::toString(std::move(error)) : "";
}

const std::string kFixed = R"(
  %3 = snn.fixed_lif %2 reset subtract {threshold = array<f32: 1.0>, decay = 0 : i64, layer = "dense1"} : !current -> !spikes
)";
const std::string kSpikes = "  %s = snn.encode poisson %q : tensor<2xf32> -> !spikes\n";
const std::string kQuantised =
    "  %q = snn.quantize %x {unit = 0.5 : f32, low = 0 : i64, high = 3 : i64} : tensor<2xf32>\n";

TEST(IntegerErrors, CurrentsThatAreNoIntegers) {
  const std::string remedy = "; integers: all expects integer weights of spikes or of the input";
  EXPECT_EQ(
      checkOf("  %2 = snn.encode direct %x : tensor<2xf32> -> !current\n" + kFixed + kCounted),
      "fixed_point: error: layer 'dense1' stays in f32: its current comes from an input that "
      "is not quantised" +
          remedy);
  EXPECT_EQ(
      checkOf("  %0 = snn.relu %x {layer = \"relu1\"} : tensor<2xf32>\n"
              "  %2 = snn.encode direct %0 : tensor<2xf32> -> !current\n" +
              kFixed + kCounted),
      "fixed_point: error: layer 'dense1' stays in f32: its current comes from layer 'relu1', "
      "which makes no integers" +
          remedy);
  EXPECT_EQ(checkOf(kQuantised + kSpikes +
                    "  %2 = snn.dense %s, %w, %half {layer = \"dense0\"} : (!spikes, "
                    "tensor<2x2xf32>, tensor<2xf32>) -> !current\n" +
                    kFixed + kCounted),
            "fixed_point: error: layer 'dense0' stays in f32: it has the bias 0.5; integers: all "
            "expects one layer of weights between populations, the input and the first of them, or "
            "the last and the answers; leave it out of the model, or merge it with its neighbour");
}

TEST(IntegerErrors, EncodersBehindALayer) {
  EXPECT_EQ(
      checkOf("  %r = snn.relu %x {layer = \"relu1\"} : tensor<2xf32>\n"
              "  %s = snn.encode regular %r {layer = \"rates\"} : tensor<2xf32> -> !spikes\n"
              "  %2 = snn.dense %s, %w : (!spikes, tensor<2x2xf32>) -> !current\n" +
              kFixed + kCounted),
      "fixed_point: error: layer 'rates' stays in f32: it encodes what is computed before it, "
      "not the input; integers: all expects an encoder at the input; use "
      "emulation.encoding: direct");
}

TEST(IntegerErrors, PopulationsInF32) {
  EXPECT_THAT(checkOf(kQuantised + kSpikes +
                      "  %2 = snn.dense %s, %w : (!spikes, tensor<2x2xf32>) -> !current\n" +
                      kFires + kCounted),
              HasSubstr("layer 'dense1' stays in f32: snn.if has no form in fixed point; integers: "
                        "all expects snn.if, snn.lif or snn.cuba_lif (euler)"));
}

TEST(IntegerErrors, AModuleWithoutANetwork) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  for (const char *text : {"", "func.func private @main(tensor<2xf32>)"}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_EQ(llvm::toString(checkIntegers(*module, 25)),
              "fixed_point: error: no function @main, expected a network");
  }
}

TEST(IntegerErrors, ARateBeyondTheInput) {
  FixedPointUse use{{{0.0f, 0.001f}}, 8};
  EXPECT_THAT(refusalOf(R"(
  %0 = snn.encode regular %x {maximum = 1.0 : f32} : tensor<2xf32> -> !spikes
  %2 = snn.dense %0, %w {layer = "dense1"} : (!spikes, tensor<2x2xf32>) -> !current
)" + kFires + kCounted,
                        {}, use),
              HasSubstr("has a maximum of 2.55"));
}

} // namespace

} // namespace spindle
