// Which populations fixed point reaches, and what is said of the others.
#include "lib/conversion/fixed-point/FixedPointNetwork.h"

#include "dialects/snn/Snn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

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

} // namespace spindle
