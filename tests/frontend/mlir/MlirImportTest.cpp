// Networks in linalg and tosa text against the definitions of their layers.
#include "tests/frontend/Imported.h"
#include "tests/frontend/NaiveLayers.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"

#include <cmath>

namespace spindle {
namespace {

using testing::ElementsAre;

/// `dense<"0x...">`: the bytes of floats as MLIR text writes them.
std::string dense(const std::vector<float> &values, const std::string &type) {
  std::string hex;
  for (float value : values)
    for (int byte = 0; byte < 4; ++byte)
      hex += fmt::format("{:02X}", reinterpret_cast<const unsigned char *>(&value)[byte]);
  return fmt::format("dense<\"0x{}\"> : tensor<{}>", hex, type);
}

/// The values of a tensor [a, b, c, d] in the order of its permuted dimensions.
std::vector<float> permute(const std::vector<float> &values, std::vector<int> shape,
                           std::vector<int> order) {
  std::vector<float> result;
  int stride[4] = {shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1};
  for (int i = 0; i < shape[order[0]]; ++i)
    for (int j = 0; j < shape[order[1]]; ++j)
      for (int k = 0; k < shape[order[2]]; ++k)
        for (int l = 0; l < shape[order[3]]; ++l)
          result.push_back(values[i * stride[order[0]] + j * stride[order[1]] +
                                  k * stride[order[2]] + l * stride[order[3]]]);
  return result;
}

/// One network, written down four times: 2x6x8 - conv 3 (3x3, padding 1) - relu - average 2x2 -
/// dense 4.
class SameNetwork : public testing::Test {
protected:
  std::vector<float> conv = randomFloats(3 * 2 * 9, 1), bias = randomFloats(3, 2),
                     matrix = randomFloats(36 * 4, 3), end = randomFloats(4, 4);

  /// `channelsLast` says how the file orders the flattened image.
  std::vector<double> expected(const NaiveImage &x, bool channelsLast) const {
    NaiveImage y = naiveConv(
        x, conv, 3, 1, {.rows = 3, .columns = 3, .top = 1, .left = 1, .bottom = 1, .right = 1});
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = std::max(0.0, y.values[i] + bias[i / 48]);
    y = naiveAverage(y, {.rows = 2, .columns = 2, .strideRows = 2, .strideColumns = 2}, true);
    std::vector<double> result(end.begin(), end.end());
    for (int k = 0; k < 3; ++k)
      for (int p = 0; p < 12; ++p)
        for (int o = 0; o < 4; ++o)
          result[o] +=
              y.values[k * 12 + p] * matrix[(channelsLast ? p * 3 + k : k * 12 + p) * 4 + o];
    return result;
  }
  void check(const std::string &text, bool channelsLast) const {
    Imported model = importBytes("net.mlir", text);
    ASSERT_EQ(model.error, "");
    NaiveImage x{2, 6, 8, randomDoubles(96, 7)};
    expectNear(model(x.values), expected(x, channelsLast));
    EXPECT_THAT(model.layers(),
                ElementsAre("input 2x6x8", "conv2d conv1 3x6x8", "relu conv1 3x6x8",
                            "avg_pool2d pool1 3x3x4", "reshape 36", "dense dense2 4"));
  }
};

/// As torch-mlir writes it.
TEST_F(SameNetwork, LinalgChannelsFirst) {
  check(fmt::format(R"(
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1) -> (d0, d1)>
#vec = affine_map<(d0, d1) -> (d1)>
func.func @net(%x: tensor<1x2x6x8xf32>) -> tensor<1x4xf32> {{
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %w = arith.constant {}
  %b = arith.constant {}
  %m = arith.constant {}
  %e = arith.constant {}
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  }} : tensor<1x2x6x8xf32> to tensor<1x2x8x10xf32>
  %0 = tensor.empty() : tensor<1x3x6x8xf32>
  %start = linalg.broadcast ins(%b : tensor<3xf32>) outs(%0 : tensor<1x3x6x8xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}}
    ins(%p, %w : tensor<1x2x8x10xf32>, tensor<3x2x3x3xf32>) outs(%start : tensor<1x3x6x8xf32>) -> tensor<1x3x6x8xf32>
  %r = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
    ins(%c : tensor<1x3x6x8xf32>) outs(%0 : tensor<1x3x6x8xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %lt = arith.cmpf ole, %in, %zero : f32
    %s = arith.select %lt, %zero, %in : f32
    linalg.yield %s : f32
  }} -> tensor<1x3x6x8xf32>
  %1 = tensor.empty() : tensor<1x3x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %k2 = tensor.empty() : tensor<2x2xf32>
  %sum = linalg.pooling_nchw_sum {{dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}}
    ins(%r, %k2 : tensor<1x3x6x8xf32>, tensor<2x2xf32>) outs(%z : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %avg = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
    ins(%sum : tensor<1x3x3x4xf32>) outs(%1 : tensor<1x3x3x4xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %d = arith.divf %in, %four : f32
    linalg.yield %d : f32
  }} -> tensor<1x3x3x4xf32>
  %flat = tensor.collapse_shape %avg [[0], [1, 2, 3]] : tensor<1x3x3x4xf32> into tensor<1x36xf32>
  %2 = tensor.empty() : tensor<1x4xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%2 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = linalg.matmul ins(%flat, %m : tensor<1x36xf32>, tensor<36x4xf32>) outs(%z2 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %ye = linalg.generic {{indexing_maps = [#row, #vec, #row], iterator_types = ["parallel", "parallel"]}}
    ins(%y, %e : tensor<1x4xf32>, tensor<4xf32>) outs(%2 : tensor<1x4xf32>) {{
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %s = arith.addf %in2, %in : f32
    linalg.yield %s : f32
  }} -> tensor<1x4xf32>
  return %ye : tensor<1x4xf32>
}})",
                    dense(conv, "3x2x3x3xf32"), dense(bias, "3xf32"), dense(matrix, "36x4xf32"),
                    dense(end, "4xf32")),
        false);
}

/// Channels last, a batch of five, the rectifier in a function of its own.
TEST_F(SameNetwork, LinalgChannelsLast) {
  check(fmt::format(R"(
func.func private @relu(%x: tensor<5x6x8x3xf32>) -> tensor<5x6x8x3xf32> {{
  %zero = arith.constant dense<0.0> : tensor<5x6x8x3xf32>
  %0 = tensor.empty() : tensor<5x6x8x3xf32>
  %r = linalg.map {{ arith.maximumf }} ins(%x, %zero : tensor<5x6x8x3xf32>, tensor<5x6x8x3xf32>) outs(%0 : tensor<5x6x8x3xf32>)
  return %r : tensor<5x6x8x3xf32>
}}
func.func @net(%x: tensor<5x6x8x2xf32>) -> tensor<5x4xf32> {{
  %zero = arith.constant 0.0 : f32
  %w = arith.constant {}
  %b = arith.constant {}
  %m = arith.constant {}
  %e = arith.constant {}
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  }} : tensor<5x6x8x2xf32> to tensor<5x8x10x2xf32>
  %0 = tensor.empty() : tensor<5x6x8x3xf32>
  %start = linalg.broadcast ins(%b : tensor<3xf32>) outs(%0 : tensor<5x6x8x3xf32>) dimensions = [0, 1, 2]
  %c = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}}
    ins(%p, %w : tensor<5x8x10x2xf32>, tensor<3x3x2x3xf32>) outs(%start : tensor<5x6x8x3xf32>) -> tensor<5x6x8x3xf32>
  %r = call @relu(%c) : (tensor<5x6x8x3xf32>) -> tensor<5x6x8x3xf32>
  %1 = tensor.empty() : tensor<5x3x4x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%1 : tensor<5x3x4x3xf32>) -> tensor<5x3x4x3xf32>
  %k2 = tensor.empty() : tensor<2x2xf32>
  %sum = linalg.pooling_nhwc_sum {{dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}}
    ins(%r, %k2 : tensor<5x6x8x3xf32>, tensor<2x2xf32>) outs(%z : tensor<5x3x4x3xf32>) -> tensor<5x3x4x3xf32>
  %quarter = arith.constant dense<0.25> : tensor<5x3x4x3xf32>
  %avg = linalg.mul ins(%sum, %quarter : tensor<5x3x4x3xf32>, tensor<5x3x4x3xf32>) outs(%1 : tensor<5x3x4x3xf32>) -> tensor<5x3x4x3xf32>
  %flat = tensor.collapse_shape %avg [[0], [1, 2, 3]] : tensor<5x3x4x3xf32> into tensor<5x36xf32>
  %2 = tensor.empty() : tensor<5x4xf32>
  %ends = linalg.broadcast ins(%e : tensor<4xf32>) outs(%2 : tensor<5x4xf32>) dimensions = [0]
  %y = linalg.matmul ins(%flat, %m : tensor<5x36xf32>, tensor<36x4xf32>) outs(%ends : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}})",
                    dense(permute(conv, {3, 2, 3, 3}, {2, 3, 1, 0}), "3x3x2x3xf32"),
                    dense(bias, "3xf32"), dense(matrix, "36x4xf32"), dense(end, "4xf32")),
        true);
}

TEST_F(SameNetwork, Tosa) {
  check(fmt::format(R"(
func.func @net(%x: tensor<1x6x8x2xf32>) -> tensor<1x4xf32> {{
  %w = "tosa.const"() <{{values = {}}}> : () -> tensor<3x3x3x2xf32>
  %b = "tosa.const"() <{{values = {}}}> : () -> tensor<3xf32>
  %m = "tosa.const"() <{{values = {}}}> : () -> tensor<1x36x4xf32>
  %e = "tosa.const"() <{{values = {}}}> : () -> tensor<1x1x4xf32>
  %zp = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %zp, %zp {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}}
    : (tensor<1x6x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x8x3xf32>
  %r = tosa.clamp %c {{min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32}} : (tensor<1x6x8x3xf32>) -> tensor<1x6x8x3xf32>
  %a = tosa.avg_pool2d %r, %zp, %zp {{acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}}
    : (tensor<1x6x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x3xf32>
  %s = tosa.const_shape {{values = dense<[1, 1, 36]> : tensor<3xindex>}} : () -> !tosa.shape<3>
  %f = tosa.reshape %a, %s : (tensor<1x3x4x3xf32>, !tosa.shape<3>) -> tensor<1x1x36xf32>
  %y = tosa.matmul %f, %m, %zp, %zp : (tensor<1x1x36xf32>, tensor<1x36x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x4xf32>
  %ye = tosa.add %y, %e : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %s2 = tosa.const_shape {{values = dense<[1, 4]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %o = tosa.reshape %ye, %s2 : (tensor<1x1x4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
  return %o : tensor<1x4xf32>
}})",
                    dense(permute(conv, {3, 2, 3, 3}, {0, 2, 3, 1}), "3x3x3x2xf32"),
                    dense(bias, "3xf32"), dense(matrix, "1x36x4xf32"), dense(end, "1x1x4xf32")),
        true);
}

/// tosa frames a channels-first network with transposes; padding by an operation of its own, dense
/// as 1x1 convolution.
TEST_F(SameNetwork, TosaWithTransposes) {
  std::vector<float> columns; // filter-major
  for (int o = 0; o < 4; ++o)
    for (int i = 0; i < 36; ++i)
      columns.push_back(matrix[i * 4 + o]);
  check(fmt::format(R"(
func.func @net(%x: tensor<1x2x6x8xf32>) -> tensor<1x4xf32> {{
  %w = "tosa.const"() <{{values = {}}}> : () -> tensor<3x3x3x2xf32>
  %b = "tosa.const"() <{{values = {}}}> : () -> tensor<3xf32>
  %m = "tosa.const"() <{{values = {}}}> : () -> tensor<4x1x1x36xf32>
  %e = "tosa.const"() <{{values = {}}}> : () -> tensor<4xf32>
  %zp = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %last = tosa.transpose %x {{perms = array<i32: 0, 2, 3, 1>}} : (tensor<1x2x6x8xf32>) -> tensor<1x6x8x2xf32>
  %ps = tosa.const_shape {{values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>}} : () -> !tosa.shape<8>
  %p = tosa.pad %last, %ps, %zp : (tensor<1x6x8x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x8x10x2xf32>
  %c = tosa.conv2d %p, %w, %b, %zp, %zp {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}}
    : (tensor<1x8x10x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x8x3xf32>
  %z = "tosa.const"() <{{values = dense<0.0> : tensor<1x1x1x1xf32>}}> : () -> tensor<1x1x1x1xf32>
  %r = tosa.maximum %c, %z : (tensor<1x6x8x3xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x8x3xf32>
  %a = tosa.avg_pool2d %r, %zp, %zp {{acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}}
    : (tensor<1x6x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x3xf32>
  %first = tosa.transpose %a {{perms = array<i32: 0, 3, 1, 2>}} : (tensor<1x3x4x3xf32>) -> tensor<1x3x3x4xf32>
  %s = tosa.const_shape {{values = dense<[1, 1, 1, 36]> : tensor<4xindex>}} : () -> !tosa.shape<4>
  %f = tosa.reshape %first, %s : (tensor<1x3x3x4xf32>, !tosa.shape<4>) -> tensor<1x1x1x36xf32>
  %y = tosa.conv2d %f, %m, %e, %zp, %zp {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}}
    : (tensor<1x1x1x36xf32>, tensor<4x1x1x36xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x4xf32>
  %s2 = tosa.const_shape {{values = dense<[1, 4]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %o = tosa.reshape %y, %s2 : (tensor<1x1x1x4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
  return %o : tensor<1x4xf32>
}})",
                    dense(permute(conv, {3, 2, 3, 3}, {0, 2, 3, 1}), "3x3x3x2xf32"),
                    dense(bias, "3xf32"), dense(columns, "4x1x1x36xf32"), dense(end, "4xf32")),
        false);
}

/// Batch normalisation as torch-mlir writes it: one region over the image and four constants.
TEST(MlirImport, BatchNormalisationInOneRegion) {
  Imported model = importBytes("net.mlir", R"(
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @net(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %eps = arith.constant 1.0 : f64
  %mean = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %var = arith.constant dense<[3.0, 8.0]> : tensor<2xf32>
  %g = arith.constant dense<[0.5, 4.0]> : tensor<2xf32>
  %b = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %0 = tensor.empty() : tensor<1x2x2x2xf32>
  %y = linalg.generic {indexing_maps = [#map, #ch, #ch, #ch, #ch, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %g, %b, %mean, %var : tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<1x2x2x2xf32>) {
  ^bb0(%in: f32, %gamma: f32, %beta: f32, %m: f32, %v: f32, %out: f32):
    %e = arith.truncf %eps : f64 to f32
    %ve = arith.addf %v, %e : f32
    %s = math.rsqrt %ve : f32
    %d = arith.subf %in, %m : f32
    %n = arith.mulf %d, %s : f32
    %gn = arith.mulf %n, %gamma : f32
    %r = arith.addf %gn, %beta : f32
    linalg.yield %r : f32
  } -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
})");
  ASSERT_EQ(model.error, "");
  EXPECT_THAT(model.layers(), ElementsAre("input 2x2x2", "scale scale1 2x2x2", "reshape 8"));
  std::vector<double> x = randomDoubles(8, 1), expected;
  for (int i = 0; i < 8; ++i)
    expected.push_back(i < 4 ? (x[i] - 1) / 2 * 0.5 + 10 : (x[i] + 2) / 3 * 4 + 20);
  expectNear(model(x), expected);
}

/// Vectors without batch, weights on either side, transposed maps.
TEST(MlirImport, MatrixProducts) {
  std::vector<float> w = randomFloats(12, 1);
  std::vector<double> x = randomDoubles(4, 2), expected(3, 0);
  for (int o = 0; o < 3; ++o)
    for (int i = 0; i < 4; ++i)
      expected[o] += w[o * 4 + i] * x[i];
  std::vector<float> wt;
  for (int i = 0; i < 4; ++i)
    for (int o = 0; o < 3; ++o)
      wt.push_back(w[o * 4 + i]);
  auto network = [&](const char *in, const char *out, const std::string &weights,
                     const char *product) {
    return importBytes("net.mlir", fmt::format(R"(
func.func @main(%x: tensor<{}>) -> tensor<{}> {{
  %w = arith.constant {}
  %z = arith.constant dense<0.0> : tensor<{}>
  %y = {}
  return %y : tensor<{}>
}})",
                                               in, out, weights, out, product, out));
  };
  expectNear(network("4xf32", "3xf32", dense(w, "3x4xf32"),
                     "linalg.matvec ins(%w, %x : tensor<3x4xf32>, tensor<4xf32>) outs(%z : "
                     "tensor<3xf32>) -> tensor<3xf32>")(x),
             expected);
  expectNear(network("4xf32", "3xf32", dense(wt, "4x3xf32"),
                     "linalg.vecmat ins(%x, %w : tensor<4xf32>, tensor<4x3xf32>) outs(%z : "
                     "tensor<3xf32>) -> tensor<3xf32>")(x),
             expected);
  expectNear(network("4x1xf32", "3x1xf32", dense(w, "3x4xf32"),
                     "linalg.matmul ins(%w, %x : tensor<3x4xf32>, tensor<4x1xf32>) outs(%z : "
                     "tensor<3x1xf32>) -> tensor<3x1xf32>")(x),
             expected);
  expectNear(network("1x4xf32", "1x3xf32", dense(w, "3x4xf32"), R"(linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %w : tensor<1x4xf32>, tensor<3x4xf32>) outs(%z : tensor<1x3xf32>) -> tensor<1x3xf32>)")(
                 x),
             expected);
  expectNear(network("1x1x4xf32", "1x1x3xf32", dense(wt, "1x4x3xf32"),
                     "linalg.batch_matmul ins(%x, %w : tensor<1x1x4xf32>, tensor<1x4x3xf32>) "
                     "outs(%z : tensor<1x1x3xf32>) -> tensor<1x1x3xf32>")(x),
             expected);
}

TEST(MlirImport, DepthwiseConvolutions) {
  std::vector<float> w = randomFloats(2 * 4, 1); // channel, row, column
  NaiveImage x{2, 4, 4, randomDoubles(32, 2)};
  NaiveImage y =
      naiveConv(x, w, 2, 2, {.rows = 2, .columns = 2, .strideRows = 2, .strideColumns = 2});
  Imported first = importBytes("net.mlir", fmt::format(R"(
func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32> {{
  %w = arith.constant {}
  %z = arith.constant dense<0.0> : tensor<1x2x2x2xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw {{dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}}
    ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x2xf32>) outs(%z : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}})",
                                                       dense(w, "2x2x2xf32")));
  ASSERT_EQ(first.error, "");
  expectNear(first(x.values), y.values);

  std::vector<float> rcc = permute(w, {1, 2, 2, 2}, {0, 2, 3, 1}); // row, column, channel
  Imported tosa = importBytes("net.mlir",
                              fmt::format(R"(
func.func @main(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {{
  %w = "tosa.const"() <{{values = {}}}> : () -> tensor<2x2x2x1xf32>
  %b = "tosa.const"() <{{values = dense<0.0> : tensor<2xf32>}}> : () -> tensor<2xf32>
  %zp = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %y = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}}
    : (tensor<1x4x4x2xf32>, tensor<2x2x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  %f = tosa.transpose %y {{perms = array<i32: 0, 3, 1, 2>}} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %f : tensor<1x2x2x2xf32>
}})",
                                          dense(rcc, "2x2x2x1xf32")),
                              [] {
                                ModelOptions o;
                                o.inputLayout = InputLayout::Nhwc;
                                return o;
                              }());
  ASSERT_EQ(tosa.error, "");
  expectNear(tosa(x.values), y.values);
}

/// As torch-mlir writes Conv1d, and groups as a dimension of their own.
TEST(MlirImport, ConvolutionsOfSignalsAndInGroups) {
  std::vector<float> w = randomFloats(4 * 2 * 3, 1); // filter, channel, position
  NaiveImage x = image(2, 1, 9, 2);
  NaiveImage y = naiveConv(x, w, 4, 1, {.rows = 1, .columns = 3, .strideColumns = 2});
  Imported first = importBytes(
      "net.mlir", fmt::format(R"(func.func @main(%x: tensor<1x2x9xf32>) -> tensor<1x4x4xf32> {{
  %w = arith.constant {}
  %z = arith.constant dense<0.0> : tensor<1x4x4xf32>
  %y = linalg.conv_1d_ncw_fcw {{dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}}
    ins(%x, %w : tensor<1x2x9xf32>, tensor<4x2x3xf32>) outs(%z : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}})",
                              dense(w, "4x2x3xf32")));
  ASSERT_EQ(first.error, "");
  expectNear(first(x.values), y.values);
  Imported last = importBytes(
      "net.mlir", fmt::format(R"(func.func @main(%x: tensor<1x9x2xf32>) -> tensor<1x4x4xf32> {{
  %w = arith.constant {}
  %z = arith.constant dense<0.0> : tensor<1x4x4xf32>
  %y = linalg.conv_1d_nwc_wcf {{dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}}
    ins(%x, %w : tensor<1x9x2xf32>, tensor<3x2x4xf32>) outs(%z : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}})",
                              dense(permute(w, {1, 4, 2, 3}, {0, 3, 2, 1}), "3x2x4xf32")));
  ASSERT_EQ(last.error, "");
  auto channelsLast = [](const NaiveImage &signal) {
    std::vector<double> values;
    for (int64_t c = 0; c < signal.columns; ++c)
      for (int64_t k = 0; k < signal.channels; ++k)
        values.push_back(signal.at(k, 0, c));
    return values;
  };
  expectNear(last(channelsLast(x)), channelsLast(y));

  std::vector<float> v = randomFloats(6 * 2 * 2 * 2, 3); // three groups of two filters
  NaiveImage u = image(6, 4, 5, 4);
  NaiveImage t = naiveConv(u, v, 6, 3, {.rows = 2, .columns = 2});
  Imported grouped = importBytes(
      "net.mlir", fmt::format(R"(func.func @main(%x: tensor<1x6x4x5xf32>) -> tensor<1x6x3x4xf32> {{
  %w = arith.constant {}
  %z = arith.constant dense<0.0> : tensor<1x3x2x3x4xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 3, 2, 4, 5] : tensor<1x6x4x5xf32> into tensor<1x3x2x4x5xf32>
  %y = linalg.conv_2d_ngchw_gfchw {{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}}
    ins(%g, %w : tensor<1x3x2x4x5xf32>, tensor<3x2x2x2x2xf32>) outs(%z : tensor<1x3x2x3x4xf32>) -> tensor<1x3x2x3x4xf32>
  %c = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x3x2x3x4xf32> into tensor<1x6x3x4xf32>
  return %c : tensor<1x6x3x4xf32>
}})",
                              dense(v, "3x2x2x2x2xf32")));
  ASSERT_EQ(grouped.error, "");
  expectNear(grouped(u.values), t.values);
}

/// Names: a location of the model, else kind and position; a name is given once.
TEST(MlirImport, NamesLayersByLocation) {
  Imported model = importBytes("net.mlir", R"(
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x2xf32>
  %a = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32> loc("dense3"("model.py":1:2))
  %r = linalg.max ins(%a, %z : tensor<1x2xf32>, tensor<1x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>
  %b = linalg.matmul ins(%r, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32> loc("dense3")
  %s = linalg.max ins(%b, %z : tensor<1x2xf32>, tensor<1x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>
  %c = linalg.matmul ins(%s, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %c : tensor<1x2xf32>
})");
  EXPECT_THAT(model.layers(),
              ElementsAre("input 2", "dense dense3 2", "relu dense3 2", "dense dense3.2 2",
                          "relu dense3.2 2", "dense dense3.3 2"));
}

/// A stage file is taken as it is, text or bytecode.
TEST(MlirImport, AcceptsItsOwnOutput) {
  std::string text = R"(
func.func @net(%x: tensor<1x3x3xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<0.5> : tensor<2x4xf32>
  %p = snn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>} : tensor<1x3x3xf32> -> tensor<1x2x2xf32>
  %f = snn.reshape %p : tensor<1x2x2xf32> -> tensor<4xf32>
  %y = snn.dense %f, %w {layer = "out"} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  %r = snn.relu %y : tensor<2xf32>
  return %r : tensor<2xf32>
})";
  Imported model = importBytes("net.mlir", text);
  EXPECT_THAT(model.layers(), ElementsAre("input 1x3x3", "avg_pool2d pool1 1x2x2", "reshape 4",
                                          "dense out 2", "relu out 2"));
  std::string printed;
  llvm::raw_string_ostream os(printed);
  model.module->print(os);
  Imported again = importBytes("net.mlir", printed);
  EXPECT_EQ(again.layers(), model.layers());
}

} // namespace
} // namespace spindle
