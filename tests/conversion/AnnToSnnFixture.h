// Networks to convert, and what a second evaluator makes of them.
#pragma once

#include "lib/conversion/ann-to-snn/AnnToSnn.h"

#include "core/support/CounterRandom.h"
#include "tests/conversion/NetworkEvaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "fmt/format.h"
#include <gmock/gmock.h>

#include <algorithm>

namespace spindle::test {

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
    if (!endsInRectifier(ann))
      result.layers.push_back({"", snn::shapeOf(function.getResultTypes()[0]).vec(), {}});
    for (const Signal &input : inputs) {
      std::vector<Signal> signals;
      Signal answer = evaluate(ann, input, 1, &signals);
      signals.push_back(answer);
      for (size_t layer = 0; layer < result.layers.size(); ++layer)
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

  /// Four inputs, one hidden layer, two answers.
  std::string perceptron(int hidden) {
    std::string w = constant("w", fmt::format("{}x4", hidden), 4 * hidden, -0.5, 1);
    std::string v = constant("v", fmt::format("2x{}", hidden), 2 * hidden, -1, 1);
    return fmt::format(R"(func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {{
{1}{2}  %1 = snn.dense %x, %w {{layer = "dense1"}} : (tensor<4xf32>, tensor<{0}x4xf32>) -> tensor<{0}xf32>
  %2 = snn.relu %1 {{layer = "dense1"}} : tensor<{0}xf32>
  %3 = snn.dense %2, %v {{layer = "dense2"}} : (tensor<{0}xf32>, tensor<2x{0}xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}})",
                       hidden, w, v);
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
inline double rateError(mlir::ModuleOp ann, mlir::ModuleOp spiking, const Signal &input,
                        int steps) {
  Signal expected = evaluate(ann, input, 1);
  Signal found = evaluate(spiking, input, steps);
  double error = 0;
  for (size_t o = 0; o < expected.size(); ++o)
    error = std::max(error, std::abs(found[o] / steps - expected[o]));
  return error;
}

} // namespace spindle::test
