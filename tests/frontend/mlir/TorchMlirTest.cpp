// Networks as torch-mlir writes them (linalg on tensors), with everything that stands around the
// layers: the seed of random numbers, assertions, softmax and its logarithm in operations that
// reduce.
#include "tests/frontend/mlir/TorchPerceptron.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TorchMlir, HeadsAreLeftOutAndLogitsAreExact) {
  TorchPerceptron network;
  for (Head head :
       {Head::Logits, Head::LogSoftmax, Head::Softmax, Head::LogOfSoftmax, Head::ArgMax})
    for (const Style &style : {Style{}, Style{false, false, true, 1}, Style{true, true, false, 1},
                               Style{false, true, true, 8}, Style{true, false, true, 3}}) {
      std::string text = network.text(head, style);
      SCOPED_TRACE(text);
      Imported model = importBytes("net.mlir", text);
      ASSERT_EQ(model.error, "");
      EXPECT_THAT(model.layers(),
                  ElementsAre("input 4", "dense dense1 6", "relu dense1 6", "dense dense2 3"));
      for (uint64_t seed = 10; seed < 15; ++seed) {
        std::vector<double> x = randomDoubles(4, seed);
        expectNear(model(x), network.logits(x), 1e-5);
      }
    }
}

/// A softmax over something else than all classes changes their order, or is a layer.
TEST(TorchMlir, OtherReductionsStay) {
  TorchPerceptron network;
  std::string overBatch = network.text(Head::LogSoftmax, {true, false, false, 3});
  TorchPerceptron::replaceAll(overBatch, R"(["parallel", "reduction"])",
                              R"(["reduction", "parallel"])");
  TorchPerceptron::replaceAll(overBatch, "#mapr = affine_map<(d0, d1) -> (d0)>",
                              "#mapr = affine_map<(d0, d1) -> (d1)>");
  TorchPerceptron::replaceAll(overBatch, "#mapk = affine_map<(d0, d1) -> (d0, 0)>",
                              "#mapk = affine_map<(d0, d1) -> (d1, 0)>");
  EXPECT_NE(importBytes("net.mlir", overBatch).error, "");
  // A bias behind the softmax.
  std::string further = network.text(Head::Softmax, {});
  further.replace(further.find("    return"), 10,
                  "    %moved = arith.addf %result, %result : tensor<1x3xf32>\n    return");
  further.replace(further.rfind("%result"), 7, "%moved");
  EXPECT_THAT(importBytes("net.mlir", further).error, HasSubstr("has 2 results, expected one"));
}

/// Additions that double with each line must not be followed into each of their terms.
TEST(TorchMlir, ChainsOfSumsEnd) {
  std::string text = TorchPerceptron().text(Head::LogSoftmax, {}), chain, last = "%log";
  for (int k = 0; k < 60; ++k) {
    chain += fmt::format("    %a{0} = arith.addf {1}, {1} : tensor<1x1xf32>\n", k, last);
    last = fmt::format("%a{}", k);
  }
  size_t at = text.find("    %result = ");
  text.insert(at, chain);
  text.replace(text.find("%log :", at + chain.size()), 4, last);
  EXPECT_THAT(importBytes("net.mlir", text).error, HasSubstr("error: "));
  // The batch is indexed by no loop.
  std::string constant = TorchPerceptron().text(Head::LogSoftmax, {true, false, false, 3});
  size_t most = constant.find("%most:2");
  constant.replace(constant.find("#map, #mapr", most), 4, "affine_map<(d0, d1) -> (0, d1)>");
  EXPECT_THAT(importBytes("net.mlir", constant).error, HasSubstr("error: "));
}

TEST(TorchMlir, Assertions) {
  TorchPerceptron network;
  std::string text = network.text(Head::Logits, {}), broken = text, ofSample = text;
  broken.replace(broken.find("%c4_i64 = arith.constant 4"), 26, "%c4_i64 = arith.constant 5");
  EXPECT_EQ(importBytes("net.mlir", broken).error,
            "net.mlir:24:5: error: the assertion 'mismatching contracting dimension' does not hold "
            "for these shapes");
  size_t at = ofSample.find("    cf.assert %fits");
  ofSample.insert(at, "    %c0 = arith.constant 0 : index\n"
                      "    %e0 = tensor.extract %arg0[%c0, %c0] : tensor<1x4xf32>\n"
                      "    %fits2 = arith.cmpf ogt, %e0, %zero : f32\n"
                      "    cf.assert %fits2, \"the sample is positive\"\n");
  EXPECT_EQ(importBytes("net.mlir", ofSample).error,
            "net.mlir:27:5: error: the assertion 'the sample is positive' depends on the sample, "
            "expected one of shapes only; leave it out");
}

TEST(TorchMlir, RandomNumbersAreRefused) {
  std::string text = TorchPerceptron().text(Head::Logits, {true, false, false, 1});
  text.insert(text.find("    %result"),
              "    %seed = ml_program.global_load @global_seed : tensor<i64>\n");
  EXPECT_THAT(importBytes("net.mlir", text).error,
              HasSubstr("operation 'ml_program.global_load' is not supported; expected operations "
                        "of arith, math, tensor, linalg or tosa"));
}

/// Conv2d(1, 2, 3, padding=1), ReLU, MaxPool2d(2), Flatten, Linear(8, 3), log_softmax.
TEST(TorchMlir, ConvolutionalNetwork) {
  std::vector<float> kernel = randomFloats(18, 1), bias = randomFloats(2, 2),
                     w = randomFloats(24, 3), b = randomFloats(3, 4);
  std::string text = R"(#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0)>
module attributes {torch.debug_module_name = "Net"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @main(%arg0: tensor<1x1x4x4xf32>) -> tensor<1x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %low = arith.constant 0xFF800000 : f32
    %c0_i64 = arith.constant 0 : i64
    %k = arith.constant dense<)" +
                     denseText(kernel, {2, 1, 3, 3}) +
                     R"(> : tensor<2x1x3x3xf32>
    %b = arith.constant dense<)" +
                     denseText(bias, {2}) +
                     R"(> : tensor<2xf32>
    %w = arith.constant dense<)" +
                     denseText(w, {3, 8}) +
                     R"(> : tensor<3x8xf32>
    %c = arith.constant dense<)" +
                     denseText(b, {3}) +
                     R"(> : tensor<3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x1x4x4xf32> to tensor<1x1x6x6xf32>
    %0 = tensor.empty() : tensor<1x2x4x4xf32>
    %broadcasted = linalg.broadcast ins(%b : tensor<2xf32>) outs(%0 : tensor<1x2x4x4xf32>) dimensions = [0, 2, 3]
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %k : tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) outs(%broadcasted : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x2x4x4xf32>) outs(%0 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x4x4xf32>
    %3 = tensor.empty() : tensor<1x2x2x2xf32>
    %4 = linalg.fill ins(%low : f32) outs(%3 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %5 = tensor.empty() : tensor<2x2xf32>
    %6 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%2, %5 : tensor<1x2x4x4xf32>, tensor<2x2xf32>) outs(%4 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %collapsed = tensor.collapse_shape %6 [[0], [1, 2, 3]] : tensor<1x2x2x2xf32> into tensor<1x8xf32>
    %7 = tensor.empty() : tensor<8x3xf32>
    %transposed = linalg.transpose ins(%w : tensor<3x8xf32>) outs(%7 : tensor<8x3xf32>) permutation = [1, 0]
    %8 = tensor.empty() : tensor<1x3xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<1x3xf32>) -> tensor<1x3xf32>
    %10 = linalg.matmul ins(%collapsed, %transposed : tensor<1x8xf32>, tensor<8x3xf32>) outs(%9 : tensor<1x3xf32>) -> tensor<1x3xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %c : tensor<1x3xf32>, tensor<3xf32>) outs(%8 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %30 = arith.addf %in, %in_1 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3xf32>
    %12 = tensor.empty() : tensor<1xi64>
    %13 = linalg.fill ins(%c0_i64 : i64) outs(%12 : tensor<1xi64>) -> tensor<1xi64>
    %14 = tensor.empty() : tensor<1xf32>
    %15 = linalg.fill ins(%low : f32) outs(%14 : tensor<1xf32>) -> tensor<1xf32>
    %16:2 = linalg.generic {indexing_maps = [#map1, #map4, #map4], iterator_types = ["parallel", "reduction"]} ins(%11 : tensor<1x3xf32>) outs(%15, %13 : tensor<1xf32>, tensor<1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %30 = linalg.index 1 : index
      %31 = arith.index_cast %30 : index to i64
      %32 = arith.maximumf %in, %out : f32
      %33 = arith.cmpf ogt, %in, %out : f32
      %34 = arith.select %33, %31, %out_1 : i64
      linalg.yield %32, %34 : f32, i64
    } -> (tensor<1xf32>, tensor<1xi64>)
    %expanded = tensor.expand_shape %16#0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %expanded : tensor<1x3xf32>, tensor<1x1xf32>) outs(%8 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %30 = arith.subf %in, %in_1 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<1x3xf32>) outs(%8 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x3xf32>
    %19 = tensor.empty() : tensor<1x1xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%18 : tensor<1x3xf32>) outs(%20 : tensor<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<1x1xf32>) outs(%19 : tensor<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.log %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %22 : tensor<1x3xf32>, tensor<1x1xf32>) outs(%8 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %30 = arith.subf %in, %in_1 : f32
      linalg.yield %30 : f32
    } -> tensor<1x3xf32>
    return %23 : tensor<1x3xf32>
  }
}
)";
  Imported model = importBytes("net.mlir", text);
  ASSERT_EQ(model.error, "");
  EXPECT_THAT(model.layers(), ElementsAre("input 1x4x4", "conv2d conv1 2x4x4", "relu conv1 2x4x4",
                                          "max_pool2d pool1 2x2x2", "reshape 8", "dense dense2 3"));
  std::vector<double> x = randomDoubles(16, 9), pooled(8, 0), expected(b.begin(), b.end());
  for (int k = 0; k < 2; ++k)
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) {
        double sum = bias[k];
        for (int i = -1; i <= 1; ++i)
          for (int j = -1; j <= 1; ++j)
            if (r + i >= 0 && r + i < 4 && c + j >= 0 && c + j < 4)
              sum += double(kernel[k * 9 + (i + 1) * 3 + j + 1]) * x[(r + i) * 4 + c + j];
        double &most = pooled[k * 4 + r / 2 * 2 + c / 2];
        most = std::max(most, sum);
      }
  for (int o = 0; o < 3; ++o)
    for (int i = 0; i < 8; ++i)
      expected[o] += double(w[o * 8 + i]) * pooled[i];
  expectNear(model(x), expected, 1e-5);
}

/// A mean over rows and columns, as adaptive average pooling becomes, and a sum over channels.
TEST(TorchMlir, SumsOverLoops) {
  auto sum = [](const char *out, const char *shape) {
    std::string text = R"(#in = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> ({out})>
func.func @main(%x: tensor<1x2x3x3xf32>) -> tensor<{shape}xf32> {
  %z = arith.constant dense<1.0> : tensor<{shape}xf32>
  %y = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "{1}", "{2}", "{2}"]} ins(%x : tensor<1x2x3x3xf32>) outs(%z : tensor<{shape}xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<{shape}xf32>
  return %y : tensor<{shape}xf32>
})";
    bool overChannels = llvm::StringRef(out).contains("d2");
    for (auto [key, value] : {std::pair("{out}", out), std::pair("{shape}", shape),
                              std::pair("{1}", overChannels ? "reduction" : "parallel"),
                              std::pair("{2}", overChannels ? "parallel" : "reduction")})
      TorchPerceptron::replaceAll(text, key, value);
    return importBytes("net.mlir", text);
  };
  std::vector<double> x = randomDoubles(18, 7), channels(2, 1), positions(9, 1);
  for (int k = 0; k < 2; ++k)
    for (int p = 0; p < 9; ++p) {
      channels[k] += x[k * 9 + p];
      positions[p] += x[k * 9 + p];
    }
  for (const auto &[out, shape] :
       {std::pair("d0, d1", "1x2"), std::pair("d0, d1, 0, 0", "1x2x1x1")}) {
    Imported model = sum(out, shape);
    ASSERT_EQ(model.error, "");
    expectNear(model(x), channels);
  }
  Imported model = sum("d0, d2, d3", "1x3x3");
  ASSERT_EQ(model.error, "");
  expectNear(model(x), positions);
}

} // namespace
} // namespace spindle
