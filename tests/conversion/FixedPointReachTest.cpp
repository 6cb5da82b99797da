// Which populations fixed point reaches, and what is said of the others.
#include "lib/conversion/fixed-point/FixedPointNetwork.h"

#include "core/support/CounterRandom.h"
#include "dialects/snn/Snn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tests/conversion/NetworkEvaluation.h"

#include <gmock/gmock.h>

namespace spindle {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

static FixedPointReach reachOf(const std::string &body) {
  mlir::MLIRContext context;
  context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "!spikes = !snn.spike_bundle<2x!snn.spike_train<?xf32>>\n"
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %w = arith.constant dense<[[1.0, 0.5], [0.25, 1.0]]> : tensor<2x2xf32>\n" +
          body + "}\n",
      &context);
  EXPECT_TRUE(module) << body;
  llvm::cantFail(toFixedPoint(*module, {}));
  return fixedPointReach(*module);
}

static const std::string tail = R"(
  %4 = snn.dense %3, %w {layer = "dense2"} : (!spikes, tensor<2x2xf32>) -> !snn.current<2xf32>
  %5 = snn.integrator %4 {layer = "dense2"} : !snn.current<2xf32> -> !snn.current<2xf32>
  %6 = snn.decode membrane %5 : !snn.current<2xf32> -> tensor<2xf32>
  return %6 : tensor<2xf32>
)";

TEST(FixedPointReach, SpikesAreReachedAndAnswersAreNot) {
  FixedPointReach reach = reachOf(R"(
  %1 = snn.encode poisson %x {maximum = 1.0 : f32} : tensor<2xf32> -> !spikes
  %2 = snn.dense %1, %w {layer = "dense1"} : (!spikes, tensor<2x2xf32>) -> !snn.current<2xf32>
  %3 = snn.if %2 reset subtract {threshold = array<f32: 1.0>, layer = "dense1"} : !snn.current<2xf32> -> !spikes)" +
                                  tail);
  EXPECT_THAT(reach.reached, ElementsAre("dense1"));
  EXPECT_THAT(reach.left, ElementsAre(FixedPointReach::Left{"dense2", "it does not spike"}));
}

/// What no other rule merges: a choice of elements, and a scale of each before other weights.
TEST(FixedPointReach, ChainsOfLayersAreOne) {
  FixedPointReach reach = reachOf(R"(
  %1 = snn.encode poisson %x {maximum = 1.0 : f32} : tensor<2xf32> -> !spikes
  %two = arith.constant dense<[1.5, 1.0]> : tensor<2xf32>
  %a = snn.sparse %1, %two {indices = array<i32: 1, 1>, offsets = array<i64: 0, 1, 2>, layer = "gather1"} : (!spikes, tensor<2xf32>) -> !snn.current<2xf32>
  %2 = snn.dense %a, %w {layer = "dense1"} : (!snn.current<2xf32>, tensor<2x2xf32>) -> !snn.current<2xf32>
  %3 = snn.if %2 reset subtract {threshold = array<f32: 1.0>, layer = "dense1"} : !snn.current<2xf32> -> !spikes)" +
                                  tail);
  EXPECT_THAT(reach.reached, ElementsAre("dense1"));
}

TEST(FixedPointReach, DirectEncodingKeepsItsPopulationsInFloat) {
  FixedPointReach reach = reachOf(R"(
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %2 = snn.encode direct %1 : tensor<2xf32> -> !snn.current<2xf32>
  %3 = snn.if %2 reset subtract {threshold = array<f32: 1.0>, layer = "dense1"} : !snn.current<2xf32> -> !spikes)" +
                                  tail);
  EXPECT_THAT(reach.reached, IsEmpty());
  EXPECT_THAT(reach.left, ElementsAre(FixedPointReach::Left{"dense1", "direct encoding drives it"},
                                      FixedPointReach::Left{"dense2", "it does not spike"}));
}

/// Averages of 2 × 2 spikes with a population of their own; `more`: attributes of the average.
static std::string pooledNetwork(const std::string &more) {
  return R"(
!spikes = !snn.spike_bundle<1x4x4x!snn.spike_train<?xf32>>
!pooled = !snn.spike_bundle<1xNxNx!snn.spike_train<?xf32>>
func.func @main(%x: tensor<1x4x4xf32>) -> tensor<1xNxNxf32> {
  %1 = snn.encode direct %x : tensor<1x4x4xf32> -> !snn.current<1x4x4xf32>
  %2 = snn.if %1 reset subtract {threshold = array<f32: 1.0>, layer = "conv1"} : !snn.current<1x4x4xf32> -> !spikes
  %3 = snn.avg_pool2d %2 {)" +
         more +
         R"(kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, layer = "pool1"} : !spikes -> !snn.current<1xNxNxf32>
  %4 = snn.if %3 reset subtract {threshold = array<f32: 1.0>, initial_membrane = array<f32: 0.5>, layer = "pool1"} : !snn.current<1xNxNxf32> -> !pooled
  %5 = snn.decode count %4 : !pooled -> tensor<1xNxNxf32>
  return %5 : tensor<1xNxNxf32>
})";
}

static mlir::OwningOpRef<mlir::ModuleOp> parsed(std::string text, char outputs,
                                                mlir::MLIRContext &context) {
  context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  std::replace(text.begin(), text.end(), 'N', outputs);
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

/// Quarters of spikes against a threshold of one are spikes against four.
TEST(FixedPointReach, AveragesOfSpikesAreSums) {
  mlir::MLIRContext context;
  auto network = parsed(pooledNetwork(""), '2', context);
  auto fixed = parsed(pooledNetwork(""), '2', context);
  ASSERT_TRUE(network && fixed);
  llvm::cantFail(toFixedPoint(*fixed, {}));
  FixedPointReach reach = fixedPointReach(*fixed);
  EXPECT_THAT(reach.reached, ElementsAre("pool1"));
  EXPECT_THAT(reach.left, ElementsAre(FixedPointReach::Left{"conv1", "direct encoding drives it"}));
  double spikes = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    CounterRandom draw(seed);
    test::Signal image;
    for (int pixel = 0; pixel < 16; ++pixel)
      image.push_back(double(draw.below(17)) / 16);
    test::Signal expected = test::evaluate(*network, image, 9);
    EXPECT_EQ(test::evaluate(*fixed, image, 9), expected) << seed;
    spikes += expected[0];
  }
  EXPECT_GT(spikes, 100);
}

/// A window at the edge divides by fewer inputs than one inside: no unit fits both.
TEST(FixedPointReach, AveragesBeyondTheImageStayInFloat) {
  mlir::MLIRContext context;
  std::string text = pooledNetwork("count_include_pad = false, padding = array<i64: 1, 1, 1, 1>, ");
  text.resize(text.find("  %5 = "));
  text.replace(text.find("tensor<1xNxNxf32> {"), 17, "tensor<2xf32>");
  auto network = parsed("!row = !snn.spike_bundle<9x!snn.spike_train<?xf32>>\n"
                        "!two = !snn.spike_bundle<2x!snn.spike_train<?xf32>>\n" +
                            text + R"(
  %w = arith.constant dense<0.5> : tensor<2x9xf32>
  %5 = snn.reshape %4 : !pooled -> !row
  %6 = snn.dense %5, %w {layer = "dense2"} : (!row, tensor<2x9xf32>) -> !snn.current<2xf32>
  %7 = snn.if %6 reset subtract {threshold = array<f32: 1.0>, layer = "dense2"} : !snn.current<2xf32> -> !two
  %8 = snn.decode count %7 : !two -> tensor<2xf32>
  return %8 : tensor<2xf32>
})",
                        '3', context);
  ASSERT_TRUE(network);
  llvm::cantFail(toFixedPoint(*network, {}));
  FixedPointReach reach = fixedPointReach(*network);
  EXPECT_THAT(reach.reached, ElementsAre("dense2"));
  EXPECT_THAT(
      reach.left,
      ElementsAre(FixedPointReach::Left{"conv1", "direct encoding drives it"},
                  FixedPointReach::Left{
                      "pool1", "averages of windows that reach beyond the image drive it"}));
}

} // namespace spindle
