// Least squares against the weights that made the data, and against the condition of a minimum.
#include "lib/conversion/ann-to-snn/calibration/WeightFit.h"

#include "core/support/CounterRandom.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

namespace spindle {
namespace {

class WeightFit : public ::testing::Test {
protected:
  WeightFit() : module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))), builder(&context) {
    context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    builder.setInsertionPointToEnd(module->getBody());
  }

  mlir::Value input(llvm::ArrayRef<int64_t> shape) {
    auto type = mlir::RankedTensorType::get(shape, builder.getF32Type());
    auto function = mlir::func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                                               builder.getFunctionType({type}, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    return function.getArgument(0);
  }
  std::vector<float> randoms(size_t count, double low = -1, double high = 1) {
    std::vector<float> values;
    for (size_t k = 0; k < count; ++k)
      values.push_back(static_cast<float>(low + (high - low) * random.uniform()));
    return values;
  }
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, const std::vector<float> &values) {
    return snn::makeConstant(builder, builder.getUnknownLoc(), shape, values);
  }
  /// Applies `op` to each sample by its linear map, in double.
  static std::vector<float> results(snn::SynapseOp op, const std::vector<float> &inputs) {
    snn::LinearMap map = *op.linearMap(0);
    std::vector<float> values;
    for (size_t at = 0; at < inputs.size(); at += map.inputs)
      for (uint32_t o = 0; o < map.outputs; ++o) {
        double sum = map.bias[o];
        for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
          sum += double(map.weights[k]) * inputs[at + map.indices[k]];
        values.push_back(static_cast<float>(sum));
      }
    return values;
  }
  static void expectWeights(mlir::Operation *op, const std::vector<float> &weights,
                            const std::vector<float> &bias) {
    std::vector<float> found = *snn::constantFloats(op->getOperand(1));
    for (size_t k = 0; k < weights.size(); ++k)
      EXPECT_NEAR(found[k], weights[k], 1e-3) << k;
    ASSERT_EQ(op->getNumOperands(), 3u);
    found = *snn::constantFloats(op->getOperand(2));
    for (size_t k = 0; k < bias.size(); ++k)
      EXPECT_NEAR(found[k], bias[k], 1e-3) << k;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
  CounterRandom random{11};
};

TEST_F(WeightFit, FindsTheDenseWeightsThatMadeTheResults) {
  mlir::Value x = input({6});
  auto location = builder.getUnknownLoc();
  auto type = snn::synapseResult(x.getType(), {3});
  std::vector<float> weights = randoms(18), bias = randoms(3);
  auto truth = snn::DenseOp::create(builder, location, type, x, constant({3, 6}, weights),
                                    constant({3}, bias), mlir::StringAttr());
  auto fitted = snn::DenseOp::create(builder, location, type, x, constant({3, 6}, randoms(18)),
                                     mlir::Value(), mlir::StringAttr());
  std::vector<float> inputs = randoms(6 * 100);
  fitWeights(fitted, inputs, results(truth, inputs), 1e-9, /*rectified=*/false);
  expectWeights(fitted, weights, bias);
}

TEST_F(WeightFit, FindsTheFiltersOfAPaddedStridedConvolution) {
  mlir::Value x = input({2, 7, 6});
  auto location = builder.getUnknownLoc();
  auto type = snn::synapseResult(x.getType(), {3, 4, 6});
  std::vector<float> weights = randoms(3 * 2 * 9), bias = randoms(3);
  auto conv = [&](const std::vector<float> &w, mlir::Value b) {
    return snn::Conv2dOp::create(builder, location, type, x, constant({3, 2, 3, 3}, w), b,
                                 llvm::ArrayRef<int64_t>{2, 1}, llvm::ArrayRef<int64_t>{1, 1, 1, 1},
                                 llvm::ArrayRef<int64_t>{1, 1}, 1, mlir::StringAttr());
  };
  auto truth = conv(weights, constant({3}, bias));
  auto fitted = conv(randoms(3 * 2 * 9), constant({3}, randoms(3)));
  std::vector<float> inputs = randoms(2 * 7 * 6 * 60);
  fitWeights(fitted, inputs, results(truth, inputs), 1e-9, /*rectified=*/false);
  expectWeights(fitted, weights, bias);
}

TEST_F(WeightFit, NegativeResultsNeedNotBeMet) {
  // z = 1 for one kind of input, −50 for the other: a line through both is far off what a
  // rectified layer needs, y(1, 0) = 1 and y(0, 1) ≤ 0, which the trained weights give already.
  mlir::Value x = input({2});
  auto location = builder.getUnknownLoc();
  auto type = snn::synapseResult(x.getType(), {1});
  auto fitted = snn::DenseOp::create(builder, location, type, x, constant({1, 2}, {1, -1}),
                                     mlir::Value(), mlir::StringAttr());
  std::vector<float> inputs, wanted;
  for (int k = 0; k < 50; ++k) {
    inputs.insert(inputs.end(), {1, 0, 0, 1});
    wanted.insert(wanted.end(), {1, -50});
  }
  fitWeights(fitted, inputs, wanted, 1e-6, /*rectified=*/true);
  expectWeights(fitted, {1, -1}, {0});
  fitWeights(fitted, inputs, wanted, 1e-6, /*rectified=*/false);
  std::vector<float> found = *snn::constantFloats(fitted.getWeight());
  EXPECT_LT(found[1], -20);
}

TEST_F(WeightFit, AStrongRidgeKeepsTheTrainedWeights) {
  mlir::Value x = input({4});
  auto type = snn::synapseResult(x.getType(), {2});
  std::vector<float> trained = randoms(8);
  auto fitted = snn::DenseOp::create(builder, builder.getUnknownLoc(), type, x,
                                     constant({2, 4}, trained), mlir::Value(), mlir::StringAttr());
  std::vector<float> inputs = randoms(4 * 50), wanted = randoms(2 * 50);
  fitWeights(fitted, inputs, wanted, 1e9, /*rectified=*/false);
  std::vector<float> found = *snn::constantFloats(fitted.getWeight());
  for (size_t k = 0; k < trained.size(); ++k)
    EXPECT_NEAR(found[k], trained[k], 1e-5);
}

TEST_F(WeightFit, SilentInputsChangeNothing) {
  mlir::Value x = input({4});
  auto fitted =
      snn::DenseOp::create(builder, builder.getUnknownLoc(), snn::synapseResult(x.getType(), {2}),
                           x, constant({2, 4}, randoms(8)), mlir::Value(), mlir::StringAttr());
  mlir::Value before = fitted.getWeight();
  fitWeights(fitted, std::vector<float>(40, 0), randoms(20), 0.1, /*rectified=*/false);
  EXPECT_EQ(fitted.getWeight(), before);
}

} // namespace
} // namespace spindle
