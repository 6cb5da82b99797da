// Each ONNX operator against its definition.
#include "tests/frontend/Imported.h"
#include "tests/frontend/NaiveLayers.h"

#include "gmock/gmock.h"

#include <cmath>
#include <limits>

namespace spindle {
namespace {

using testing::ElementsAre;

NaiveImage image(int64_t channels, int64_t rows, int64_t columns, uint64_t seed) {
  return {channels, rows, columns, randomDoubles(channels * rows * columns, seed)};
}

TEST(OnnxOperators, GemmTransposesScalesAndAddsBias) {
  OnnxFile file({1, 3});
  std::vector<float> w = randomFloats(12, 1), b = randomFloats(4, 2);
  file.floats("w", {4, 3}, w, /*raw=*/true);
  file.floats("b", {4}, b);
  onnx::NodeProto &gemm = file.node("Gemm", {"x", "w", "b"}, "y");
  set(gemm, "transB", int64_t(1));
  set(gemm, "alpha", 0.5f);
  set(gemm, "beta", 2.0f);
  file.output("y");
  std::vector<double> x = randomDoubles(3, 3), expected;
  for (int o = 0; o < 4; ++o)
    expected.push_back(0.5 * (w[3 * o] * x[0] + w[3 * o + 1] * x[1] + w[3 * o + 2] * x[2]) +
                       2 * b[o]);
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x), expected);
  EXPECT_THAT(model.layers(), ElementsAre("input 3", "dense dense1 4"));
}

TEST(OnnxOperators, ConvolutionWithGroupsDilationStridesAndPads) {
  OnnxFile file({1, 4, 9, 7});
  std::vector<float> w = randomFloats(6 * 2 * 3 * 2, 1), b = randomFloats(6, 2);
  file.floats("w", {6, 2, 3, 2}, w);
  file.floats("b", {6}, b);
  onnx::NodeProto &conv = file.node("Conv", {"x", "w", "b"}, "y");
  set(conv, "group", int64_t(2));
  set(conv, "dilations", std::vector<int64_t>{2, 2});
  set(conv, "strides", std::vector<int64_t>{2, 1});
  set(conv, "pads", std::vector<int64_t>{1, 2, 3, 0});
  set(conv, "kernel_shape", std::vector<int64_t>{3, 2});
  file.output("y");
  NaiveImage x = image(4, 9, 7, 3);
  NaiveImage y = naiveConv(x, w, 6, 2,
                           {.rows = 3,
                            .columns = 2,
                            .strideRows = 2,
                            .strideColumns = 1,
                            .top = 1,
                            .left = 2,
                            .bottom = 3,
                            .right = 0,
                            .dilation = 2});
  for (size_t i = 0; i < y.values.size(); ++i)
    y.values[i] += b[i / (y.rows * y.columns)];
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x.values), y.values);
}

/// Rows 8, kernel 3, stride 2: one zero in all, at the end for SAME_UPPER, at the start for
/// SAME_LOWER.
TEST(OnnxOperators, AutomaticPadding) {
  struct Case {
    const char *mode;
    int64_t before, after;
  };
  for (Case c : {Case{"SAME_UPPER", 0, 1}, Case{"SAME_LOWER", 1, 0}, Case{"VALID", 0, 0}}) {
    OnnxFile file({1, 1, 8, 8});
    std::vector<float> w = randomFloats(9, 1);
    file.floats("w", {1, 1, 3, 3}, w);
    onnx::NodeProto &conv = file.node("Conv", {"x", "w"}, "y");
    set(conv, "auto_pad", std::string(c.mode));
    set(conv, "strides", std::vector<int64_t>{2, 2});
    file.output("y");
    NaiveImage x = image(1, 8, 8, 2);
    NaiveImage y = naiveConv(x, w, 1, 1,
                             {.rows = 3,
                              .columns = 3,
                              .strideRows = 2,
                              .strideColumns = 2,
                              .top = c.before,
                              .left = c.before,
                              .bottom = c.after,
                              .right = c.after});
    expectNear(import(file)(x.values), y.values);
  }
}

TEST(OnnxOperators, AveragePoolCountsPaddingOnRequest) {
  for (int64_t counts : {0, 1}) {
    OnnxFile file({1, 2, 6, 6});
    onnx::NodeProto &pool = file.node("AveragePool", {"x"}, "y");
    set(pool, "kernel_shape", std::vector<int64_t>{3, 3});
    set(pool, "strides", std::vector<int64_t>{2, 2});
    set(pool, "pads", std::vector<int64_t>{1, 1, 0, 0});
    set(pool, "count_include_pad", counts);
    set(pool, "ceil_mode", int64_t(1)); // (6 + 1 - 3) / 2 is whole: ceil and floor agree
    file.output("y");
    NaiveImage x = image(2, 6, 6, 1);
    NaiveImage y = naiveAverage(
        x, {.rows = 3, .columns = 3, .strideRows = 2, .strideColumns = 2, .top = 1, .left = 1},
        counts == 1);
    expectNear(import(file)(x.values), y.values);
  }
}

TEST(OnnxOperators, GlobalAveragePoolThenFlatten) {
  OnnxFile file({1, 2, 3, 5});
  file.node("GlobalAveragePool", {"x"}, "g");
  file.node("Flatten", {"g"}, "y");
  file.output("y");
  NaiveImage x = image(2, 3, 5, 1);
  expectNear(import(file)(x.values), naiveAverage(x, {.rows = 3, .columns = 5}, true).values);
}

TEST(OnnxOperators, PadBeforeConvolutionBecomesItsPadding) {
  OnnxFile file({1, 1, 4, 4}, 11);
  std::vector<float> w = randomFloats(9, 1);
  file.floats("w", {1, 1, 3, 3}, w);
  file.integers("pads", {0, 0, 1, 2, 0, 0, 0, 1});
  file.node("Pad", {"x", "pads"}, "p");
  set(file.node("Conv", {"p", "w"}, "y"), "pads", std::vector<int64_t>{1, 1, 1, 1});
  file.output("y");
  NaiveImage x = image(1, 4, 4, 2);
  NaiveImage y = naiveConv(x, w, 1, 1,
                           {.rows = 3, .columns = 3, .top = 2, .left = 3, .bottom = 1, .right = 2});
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x.values), y.values);
}

/// Convolution, batch normalisation and the arithmetic with constants end up in one convolution.
TEST(OnnxOperators, ChannelArithmeticFoldsIntoConvolution) {
  OnnxFile file({1, 1, 3, 3});
  std::vector<float> w = randomFloats(2 * 4, 1), gamma = {2, -3}, beta = {0.5f, 1},
                     mean = {0.1f, -0.2f}, variance = {4, 0.25f};
  file.floats("w", {2, 1, 2, 2}, w);
  file.floats("gamma", {2}, gamma);
  file.floats("beta", {2}, beta);
  file.floats("mean", {2}, mean);
  file.floats("variance", {2}, variance);
  file.floats("column", {1, 2, 1, 1}, {4, 8});
  file.floats("two", {}, {2});
  file.node("Conv", {"x", "w"}, "c");
  set(file.node("BatchNormalization", {"c", "gamma", "beta", "mean", "variance"}, "n"), "epsilon",
      0.75f);
  file.node("Div", {"n", "column"}, "d");
  file.node("Sub", {"two", "d"}, "s");
  file.node("Mul", {"s", "two"}, "m");
  file.node("Add", {"m", "column"}, "y");
  file.output("y");
  NaiveImage x = image(1, 3, 3, 5), y = naiveConv(x, w, 2, 1, {.rows = 2, .columns = 2});
  for (size_t i = 0; i < y.values.size(); ++i) {
    size_t k = i / 4;
    double normal = (y.values[i] - mean[k]) / std::sqrt(variance[k] + 0.75) * gamma[k] + beta[k];
    double column = k == 0 ? 4 : 8;
    y.values[i] = (2 - normal / column) * 2 + column;
  }
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x.values), y.values);
  EXPECT_THAT(model.layers(), ElementsAre("input 1x3x3", "conv2d conv1 2x2x2", "reshape 8"));
}

/// Weights per element cannot be part of a convolution; they stay a scale.
TEST(OnnxOperators, ElementwiseFactorsStayAScale) {
  OnnxFile file({1, 2, 2, 2});
  std::vector<float> f = randomFloats(8, 1);
  file.floats("f", {2, 2, 2}, f);
  file.node("Mul", {"x", "f"}, "m").set_name("gain");
  file.node("Relu", {"m"}, "y");
  file.output("y");
  std::vector<double> x = randomDoubles(8, 2), expected;
  for (size_t i = 0; i < 8; ++i)
    expected.push_back(std::max(0.0, x[i] * f[i]));
  Imported model = import(file);
  expectNear(model(x), expected);
  EXPECT_THAT(model.layers(),
              ElementsAre("input 2x2x2", "scale gain 2x2x2", "relu gain 2x2x2", "reshape 8"));
}

/// Keras writes images with channels last and transposes; nothing of it is left in the graph.
TEST(OnnxOperators, TransposesOfChannelsLastCancel) {
  OnnxFile file({0, 5, 6, 2});
  std::vector<float> w = randomFloats(3 * 2 * 4, 1), d = randomFloats(60 * 4, 2);
  file.floats("w", {3, 2, 2, 2}, w);
  file.floats("d", {60, 4}, d);
  file.integers("flat", {-1, 60});
  // Stored in reverse order.
  file.node("MatMul", {"f", "d"}, "y");
  file.node("Reshape", {"t", "flat"}, "f");
  set(file.node("Transpose", {"r"}, "t"), "perm", std::vector<int64_t>{0, 2, 3, 1});
  file.node("Relu", {"c"}, "r");
  file.node("Conv", {"i", "w"}, "c");
  set(file.node("Transpose", {"x"}, "i"), "perm", std::vector<int64_t>{0, 3, 1, 2});
  file.output("y");
  NaiveImage x = image(2, 5, 6, 3), c = naiveConv(x, w, 3, 1, {.rows = 2, .columns = 2});
  std::vector<double> expected(4, 0);
  for (int64_t k = 0; k < 3; ++k)
    for (int64_t r = 0; r < 4; ++r)
      for (int64_t q = 0; q < 5; ++q)
        for (int64_t o = 0; o < 4; ++o)
          expected[o] += std::max(0.0, c.at(k, r, q)) * d[((r * 5 + q) * 3 + k) * 4 + o];
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x.values), expected); // the argument of @main has channels first
  EXPECT_THAT(model.layers(), ElementsAre("input 2x5x6", "conv2d conv1 3x4x5", "relu conv1 3x4x5",
                                          "reshape 60", "dense dense2 4"));
}

/// `x.view(x.size(0), -1)` as PyTorch exports it, for a fixed batch of ten.
TEST(OnnxOperators, ShapeArithmeticAndBatch) {
  OnnxFile file({10, 2, 3});
  std::vector<float> w = randomFloats(6 * 2, 1);
  file.floats("w", {6, 2}, w);
  file.floats("bias", {10, 2}, [] {
    std::vector<float> rows;
    for (int i = 0; i < 10; ++i)
      rows.insert(rows.end(), {0.5f, -0.5f});
    return rows;
  }());
  file.integers("zero", {0});
  file.integers("rest", {-1});
  file.integers("ten", {10, 6});
  file.node("Shape", {"x"}, "s");
  file.node("Gather", {"s", "zero"}, "n");
  set(file.node("Concat", {"n", "rest"}, "target"), "axis", int64_t(0));
  file.node("Reshape", {"x", "target"}, "v");
  file.node("Reshape", {"v", "ten"}, "f");
  file.node("MatMul", {"f", "w"}, "m");
  file.node("Add", {"m", "bias"}, "y");
  file.output("y");
  std::vector<double> x = randomDoubles(6, 2), expected = {0.5, -0.5};
  for (int i = 0; i < 6; ++i)
    for (int o = 0; o < 2; ++o)
      expected[o] += x[i] * w[2 * i + o];
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x), expected);
}

TEST(OnnxOperators, SqueezeUnsqueezeDropoutIdentitySoftmax) {
  for (int64_t opset : {11, 13}) {
    OnnxFile file({1, 1, 4, 1}, opset);
    std::vector<float> w = randomFloats(4 * 3, 1);
    file.floats("w", {4, 3}, w);
    onnx::NodeProto *squeeze, *unsqueeze;
    if (opset < 13) {
      squeeze = &file.node("Squeeze", {"x"}, "s");
      set(*squeeze, "axes", std::vector<int64_t>{1, 3});
      unsqueeze = &file.node("Unsqueeze", {"s"}, "u");
      set(*unsqueeze, "axes", std::vector<int64_t>{1});
    } else {
      file.integers("drop", {1, -1});
      file.integers("add", {1});
      file.node("Squeeze", {"x", "drop"}, "s");
      file.node("Unsqueeze", {"s", "add"}, "u");
    }
    file.node("Dropout", {"u"}, "o").add_output("mask");
    file.node("MatMul", {"o", "w"}, "m");
    file.node("Softmax", {"m"}, "p");
    file.node("Identity", {"p"}, "y");
    set(*file.model.mutable_graph()->mutable_node(4), "axis", int64_t(2));
    file.output("y");
    std::vector<double> x = randomDoubles(4, 2), expected(3, 0);
    for (int i = 0; i < 4; ++i)
      for (int o = 0; o < 3; ++o)
        expected[o] += x[i] * w[3 * i + o];
    Imported model = import(file);
    ASSERT_EQ(model.error, "");
    expectNear(model(x), expected); // before softmax
  }
}

/// Weights may come first: y = W xᵀ.
/// Exporters write the largest and the smallest integer for "to the end".
TEST(OnnxOperators, SlicesReachBothEnds) {
  OnnxFile file({1, 4});
  file.integers("axis", {1});
  file.integers("one", {1});
  file.integers("last", {std::numeric_limits<int64_t>::max()});
  file.integers("back", {-1});
  file.integers("first", {std::numeric_limits<int64_t>::min()});
  file.node("Slice", {"x", "one", "last", "axis"}, "tail");
  file.node("Slice", {"tail", "back", "first", "axis", "back"}, "y");
  file.output("y");
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model({1, 2, 3, 4}), {4, 3, 2});
}

TEST(OnnxOperators, WeightsOnTheLeft) {
  OnnxFile file({1, 3});
  std::vector<float> w = randomFloats(6, 1);
  file.floats("w", {2, 3}, w);
  file.node("Transpose", {"x"}, "t");
  file.node("MatMul", {"w", "t"}, "y");
  file.output("y");
  std::vector<double> x = randomDoubles(3, 2), expected;
  for (int o = 0; o < 2; ++o)
    expected.push_back(w[3 * o] * x[0] + w[3 * o + 1] * x[1] + w[3 * o + 2] * x[2]);
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x), expected);
}

TEST(OnnxOperators, ConstantsAreEvaluated) {
  OnnxFile file({1, 2});
  file.floats("a", {2, 1}, {1, 2});
  file.floats("b", {3}, {10, 20, 30});
  file.node("Add", {"a", "b"}, "w"); // broadcasts to 2x3
  file.node("MatMul", {"x", "w"}, "y");
  file.output("y");
  EXPECT_THAT(import(file)({1, 100}), ElementsAre(1211, 2221, 3231));
}

} // namespace
} // namespace spindle
