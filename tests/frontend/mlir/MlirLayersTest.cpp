// Layers that MLIR writes in several ways, each against its definition.
#include "tests/frontend/Imported.h"
#include "tests/frontend/NaiveLayers.h"

#include "gmock/gmock.h"

#include <cmath>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Imported module(const std::string &text) { return importBytes("net.mlir", text); }

/// Outside counts as minus infinity.
NaiveImage naiveMaximum(const NaiveImage &x, const NaiveWindow &w) {
  NaiveImage y{x.channels,
               (x.rows + w.top + w.bottom - w.rows) / w.strideRows + 1,
               (x.columns + w.left + w.right - w.columns) / w.strideColumns + 1,
               {}};
  for (int64_t k = 0; k < x.channels; ++k)
    for (int64_t r = 0; r < y.rows; ++r)
      for (int64_t c = 0; c < y.columns; ++c) {
        double most = -INFINITY;
        for (int64_t i = 0; i < w.rows; ++i)
          for (int64_t j = 0; j < w.columns; ++j) {
            int64_t row = r * w.strideRows + i - w.top, column = c * w.strideColumns + j - w.left;
            if (row >= 0 && row < x.rows && column >= 0 && column < x.columns)
              most = std::max(most, x.at(k, row, column));
          }
        y.values.push_back(most);
      }
  return y;
}

std::vector<double> channelsLast(const NaiveImage &x) {
  std::vector<double> values;
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.columns; ++c)
      for (int64_t k = 0; k < x.channels; ++k)
        values.push_back(x.at(k, r, c));
  return values;
}

/// Padding with minus infinity, then windows: as torch-mlir writes it, by name and as a loop nest.
TEST(MlirLayers, MaximumOfWindows) {
  const char *head = R"(
#in = affine_map<(n, k, r, c, i, j) -> (n, k, r * 2 + i, c * 2 + j)>
#window = affine_map<(n, k, r, c, i, j) -> (i, j)>
#out = affine_map<(n, k, r, c, i, j) -> (n, k, r, c)>
func.func @main(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x3x3xf32> {
  %low = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %low : f32
  } : tensor<1x2x5x6xf32> to tensor<1x2x7x7xf32>
  %kernel = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x2x3x3xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
)";
  const char *named =
      R"(  %y = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %kernel : tensor<1x2x7x7xf32>, tensor<3x3xf32>) outs(%start : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
})";
  const char *nest =
      R"(  %y = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded, %kernel : tensor<1x2x7x7xf32>, tensor<3x3xf32>) outs(%start : tensor<1x2x3x3xf32>) {
  ^bb0(%e: f32, %w: f32, %m: f32):
    %n = arith.maximumf %m, %e : f32
    linalg.yield %n : f32
  } -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
})";
  NaiveImage x = image(2, 5, 6, 1);
  NaiveImage y = naiveMaximum(x, {.rows = 3,
                                  .columns = 3,
                                  .strideRows = 2,
                                  .strideColumns = 2,
                                  .top = 1,
                                  .bottom = 1,
                                  .right = 1});
  for (const char *tail : {named, nest}) {
    Imported model = module(std::string(head) + tail);
    ASSERT_EQ(model.error, "");
    EXPECT_THAT(model.layers(), ElementsAre("input 2x5x6", "max_pool2d pool1 2x3x3", "reshape 18"));
    expectNear(model(x.values), y.values);
  }
}

/// The same in channels-last tosa, behind a rectifier that comes after the maximum.
TEST(MlirLayers, TosaMaximumThenRectifier) {
  Imported model = module(R"(func.func @main(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {
  %m = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32>
  %y = tosa.clamp %m {min_val = 0.0 : f32, max_val = 0.5 : f32} : (tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %y : tensor<1x3x3x2xf32>
})");
  ASSERT_EQ(model.error, "");
  NaiveImage x = image(2, 6, 6, 2);
  NaiveImage y = naiveMaximum(x, {.rows = 2, .columns = 2, .strideRows = 2, .strideColumns = 2});
  for (double &value : y.values)
    value = std::clamp(value, 0.0, 0.5);
  expectNear(model(x.values), channelsLast(y));
}

TEST(MlirLayers, BranchesAreAddedAndJoined) {
  for (const char *join :
       {"%j = tensor.concat dim(1) %s, %x : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x6xf32>",
        "%j = tosa.concat %s, %x {axis = 1 : i32} : (tensor<1x3xf32>, tensor<1x3xf32>) -> "
        "tensor<1x6xf32>"}) {
    Imported model = module(std::string(R"(func.func @main(%x: tensor<1x3xf32>) -> tensor<1x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x3xf32>
  %six = arith.constant dense<6.0> : tensor<1x3xf32>
  %twice = arith.addf %x, %x : tensor<1x3xf32>
  %low = arith.minimumf %twice, %six : tensor<1x3xf32>
  %r = arith.maximumf %low, %zero : tensor<1x3xf32>
  %s = linalg.sub ins(%r, %x : tensor<1x3xf32>, tensor<1x3xf32>) outs(%zero : tensor<1x3xf32>) -> tensor<1x3xf32>
  )") + join + "\n  return %j : tensor<1x6xf32>\n}");
    ASSERT_EQ(model.error, "");
    expectNear(model({-1, 2, 5}), {1, 2, 1, -1, 2, 5});
  }
}

/// Clamps as torch-mlir writes them: two comparisons and two selections.
TEST(MlirLayers, ComparisonsAndSelections) {
  Imported model = module(R"(#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ult, %in, %zero : f32
    %l = arith.select %c, %zero, %in : f32
    %d = arith.cmpf ugt, %l, %six : f32
    %m = arith.select %d, %six, %l : f32
    linalg.yield %m : f32
  } -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
})");
  ASSERT_EQ(model.error, "");
  expectNear(model({-1, 0.5, 6, 9}), {0, 0.5, 6, 6});
  EXPECT_THAT(model.layers(), ElementsAre("input 4", "relu relu 4"));
}

/// Two filters for each channel.
TEST(MlirLayers, DepthwiseWithMultiplier) {
  ModelOptions options;
  options.inputLayout = InputLayout::Nhwc;
  Imported model =
      importBytes("net.mlir", R"(func.func @main(%x: tensor<1x3x3x2xf32>) -> tensor<1x2x2x2x2xf32> {
  %w = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], [[[9.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]]> : tensor<2x2x2x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x2x2x2xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x3x3x2xf32>, tensor<2x2x2x2xf32>) outs(%z : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return %y : tensor<1x2x2x2x2xf32>
})",
                  options);
  ASSERT_EQ(model.error, "");
  NaiveImage x = image(2, 3, 3, 3);
  // Filter k · 2 + m, row-major over its window.
  std::vector<float> weight = {1, 5, 9, 4, 2, 6, 1, 5, 3, 7, 2, 6, 4, 8, 3, 7};
  expectNear(model(x.values), channelsLast(naiveConv(x, weight, 4, 2, {.rows = 2, .columns = 2})));
}

/// Twice the size, half-pixel centres: output o lies at (o + 1/2) / 2 − 1/2.
TEST(MlirLayers, TosaResizeSliceAndSum) {
  Imported model = module(R"(func.func @main(%x: tensor<1x1x3x1xf32>) -> tensor<1x1x1x1xf32> {
  %scale = tosa.const_shape {values = dense<[1, 1, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x1x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1x6x1xf32>
  %start = tosa.const_shape {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.slice %r, %start, %size : (tensor<1x1x6x1xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x2x1xf32>
  %y = tosa.reduce_sum %s {axis = 2 : i32} : (tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
})");
  ASSERT_EQ(model.error, "");
  // Outputs 1 and 2 lie at 0.25 and 0.75.
  expectNear(model({1, 10, 100}), {0.75 * 1 + 0.25 * 10 + 0.25 * 1 + 0.75 * 10});
}

TEST(MlirLayers, SoftmaxAtTheEndIsDropped) {
  const char *named = R"(func.func @main(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %e = tensor.empty() : tensor<1x3xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<1x3xf32>) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
})";
  const char *writtenOut = R"(func.func @main(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<1x3xf32>) -> tensor<1x1xf32>
  %d = tosa.sub %x, %m : (tensor<1x3xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  %e = tosa.exp %d : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %s = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<1x3xf32>) -> tensor<1x1xf32>
  %r = tosa.reciprocal %s : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = tosa.mul %e, %r, %shift : (tensor<1x3xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
})";
  std::string logarithm = writtenOut; // as torch-mlir writes log_softmax
  size_t at = logarithm.find("  %r = ");
  logarithm.replace(at, logarithm.find("  return") - at,
                    R"(  %l = tosa.log %s : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = tosa.sub %d, %l : (tensor<1x3xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
)");
  std::string logarithmAfter = writtenOut;
  logarithmAfter.replace(logarithmAfter.find("  return %y"), 11,
                         "  %l = tosa.log %y : (tensor<1x3xf32>) -> tensor<1x3xf32>\n  return %l");
  for (const std::string &text :
       {std::string(named), std::string(writtenOut), logarithm, logarithmAfter}) {
    Imported model = module(text);
    ASSERT_EQ(model.error, "") << text;
    EXPECT_THAT(model.layers(), ElementsAre("input 3"));
  }
  // Of two samples each has a maximum of its own; one over both would change the order.
  std::string two = logarithm;
  for (const auto &[from, to] : {std::pair("1x3xf32", "2x3xf32"), {"1x1xf32", "2x1xf32"}})
    for (size_t found; (found = two.find(from)) != std::string::npos;)
      two.replace(found, 7, to);
  EXPECT_EQ(module(two).error, "");
  for (size_t found; (found = two.find("axis = 1")) != std::string::npos;)
    two.replace(found, 8, "axis = 0");
  for (size_t found; (found = two.find("2x1xf32")) != std::string::npos;)
    two.replace(found, 7, "1x3xf32");
  EXPECT_NE(module(two).error, "");
  std::string inside = named;
  inside.replace(inside.find("  return %y"), 11,
                 "  %z = arith.addf %y, %x : tensor<1x3xf32>\n  return %z");
  EXPECT_THAT(module(inside).error,
              HasSubstr("softmax is supported only at the end of the network, over all classes"));
}

} // namespace
} // namespace spindle
