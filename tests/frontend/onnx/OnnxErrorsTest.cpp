// Error texts of the ONNX import about files, graphs and weights; those about operators are in
// OnnxOperatorErrorsTest.cpp.
#include "core/support/TextPlace.h"
#include "core/support/files/File.h"
#include "tests/frontend/onnx/OneNode.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"

#include <limits>

namespace spindle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(OnnxErrors, PlaceIsTheNodeOrItsOutput) {
  OneNode named("Bernoulli");
  EXPECT_THAT(named.error(),
              StartsWith("x.onnx: node 'n' (Bernoulli): error: operator is not supported; "
                         "supported: Abs, Add, ArgMax, AveragePool, BatchNormalization, "));
  OneNode unnamed("Bernoulli");
  unnamed.node().clear_name();
  EXPECT_THAT(unnamed.error(),
              StartsWith("x.onnx: node 'y' (Bernoulli): error: operator is not supported; "));
}

TEST(OnnxErrors, File) {
  EXPECT_EQ(importBytes("x.onnx", "no protobuf at all").error,
            "x.onnx: error: not an ONNX model: the file is cut short or no protobuf message");
  EXPECT_EQ(importBytes("x.onnx", "").error,
            "x.onnx: error: not an ONNX model: it has no graph with nodes");
  EXPECT_EQ(importBytes("x.pt", "").error, "x.pt: error: unknown model format, expected .onnx, "
                                           ".keras or .h5 (Keras), .mlir, .mlirbc, .nir "
                                           "or .yaml (network)");
  ModelOptions absent;
  absent.path = "absent.onnx";
  EXPECT_THAT(import(absent).error, StartsWith("absent.onnx: error: "));
}

TEST(OnnxErrors, Graph) {
  OneNode old("Relu", {1, 4}, 6);
  EXPECT_EQ(old.error(), "x.onnx: error: operator set 6 is not supported, expected 7 to 23");

  OneNode twoInputs("Relu", {1, 4});
  OnnxFile::addValue(*twoInputs.file.model.mutable_graph()->add_input(), "z", {1});
  EXPECT_EQ(twoInputs.error(), "x.onnx: error: the model has 2 inputs [x, z], expected one");

  OneNode twoOutputs("Relu", {1, 4});
  twoOutputs.file.output("x");
  EXPECT_EQ(twoOutputs.error(), "x.onnx: error: the model has 2 outputs [x, y], expected one");

  OneNode twice("Relu", {1, 4});
  twice.file.node("Relu", {"x"}, "y").set_name("m");
  EXPECT_EQ(twice.error(),
            "x.onnx: node 'm' (Relu): error: makes 'y', which another node makes already");

  OneNode undefined("Add", {1, 4});
  undefined.node().add_input("z");
  EXPECT_EQ(undefined.error(), "x.onnx: node 'n' (Add): error: reads 'z', which no node makes");

  OneNode cycle("Add", {1, 4});
  cycle.node().add_input("y");
  EXPECT_EQ(cycle.error(),
            "x.onnx: node 'n' (Add): error: reads 'y', which depends on it: a cycle");

  OneNode mask("Dropout", {1, 4});
  mask.node().add_output("mask");
  mask.file.node("Relu", {"mask"}, "z").set_name("m");
  mask.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(mask.error(),
            "x.onnx: node 'm' (Relu): error: reads 'mask', a further output that is not "
            "supported");
  mask.file.model.mutable_graph()->mutable_output(0)->set_name("mask");
  EXPECT_EQ(mask.error(),
            "x.onnx: output 'mask': error: is a further output of its node, which is not "
            "supported");

  OneNode constant("Identity", {1, 4});
  constant.file.floats("c", {1}, {1});
  constant.node().set_input(0, "c");
  EXPECT_EQ(constant.error(), "x.onnx: output 'y': error: the result does not depend on the input");
}

TEST(OnnxErrors, Input) {
  OneNode open("Relu", {1, 0});
  EXPECT_EQ(open.error(), "x.onnx: input 'x': error: dimension 1 has no fixed extent; export the "
                          "model with a fixed input shape");
  OneNode shapeless("Relu", {});
  EXPECT_EQ(shapeless.error(),
            "x.onnx: input 'x': error: has no shape; export the model with a fixed input shape");
  OneNode integers("Relu", {1, 4});
  integers.file.model.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::INT64);
  EXPECT_EQ(integers.error(),
            "x.onnx: input 'x': error: elements are INT64, expected FLOAT, DOUBLE or FLOAT16");
  for (auto type : {onnx::TensorProto::DOUBLE, onnx::TensorProto::FLOAT16}) {
    integers.file.model.mutable_graph()
        ->mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->set_elem_type(type);
    EXPECT_EQ(integers.error(), "");
  }
  OneNode huge("Relu", {1, int64_t(1) << 40});
  EXPECT_EQ(huge.error(),
            "x.onnx: input 'x': error: shape 1x1099511627776 has an extent below one or "
            "more than 134217728 elements");
  OneNode flat("Relu", {1, 4});
  ModelOptions options;
  options.inputLayout = InputLayout::Nhwc;
  EXPECT_EQ(import(flat.file, options).error,
            "x.onnx: input 'x': error: input of 4 is no image, input_layout nhwc does not apply");
}

TEST(OnnxErrors, Tensors) {
  OneNode shortTensor("Add", {1, 4});
  shortTensor.with("c", {4}, {1, 2, 3});
  EXPECT_EQ(shortTensor.error(), "x.onnx: error: tensor 'c' of shape 4 holds 3 values");
  OneNode half("Add", {1, 4});
  half.file.initializer("c", {4}, onnx::TensorProto::COMPLEX64);
  half.node().add_input("c");
  EXPECT_EQ(half.error(),
            "x.onnx: error: tensor 'c' has elements of type COMPLEX64, expected FLOAT, "
            "DOUBLE, FLOAT16, INT8, UINT8, INT32, INT64 or BOOL");
}

/// Protobuf does not look at texts: names are kept as they are, errors and layers are text.
TEST(OnnxErrors, NamesThatAreNoText) {
  for (const std::string &name : {std::string("a\xff"), std::string("a\n"), std::string("a\0b", 3),
                                  std::string("\xed\xa0\x80"), std::string("a\x7f\xc3")}) {
    OneNode refused("Bernoulli", {1, 4});
    refused.node().set_name(name);
    std::string error = refused.error();
    EXPECT_THAT(error, StartsWith("x.onnx: node '"));
    EXPECT_EQ(excerpt(error, error.size()), error);

    OnnxFile file({1, 2});
    file.floats(name, {2, 2}, {1, 2, 3, 4});
    file.floats(name + "2", {2, 2}, {5, 6, 7, 8});
    file.node("MatMul", {"x", name}, name + "y").set_name(name);
    file.node("Relu", {name + "y"}, "r");
    file.node("MatMul", {"r", name + "2"}, "z").set_name(name);
    file.output("z");
    Imported model = import(file);
    ASSERT_EQ(model.error, "");
    expectNear(model({1, 1}), {4 * 5 + 6 * 7, 4 * 6 + 6 * 8});
    std::string layers = fmt::format("{}", fmt::join(model.layers(), " "));
    EXPECT_EQ(excerpt(layers, layers.size()), layers);
  }
}

TEST(OnnxErrors, WeightsAreFinite) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const std::string message = "x.onnx: layer 'n': error: a weight is infinite or not a number, "
                              "expected finite numbers; train the network again";
  for (float value : {infinite, -infinite, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(OneNode("MatMul", {1, 2}).with("w", {2, 2}, {1, 2, value, 4}).error(), message);
  // Finite in the file, no longer after layers are merged.
  OnnxFile file({1, 2});
  file.floats("a", {2, 2}, {1e30f, 0, 0, 1});
  file.floats("b", {2, 2}, {1e30f, 0, 0, 1});
  file.node("MatMul", {"x", "a"}, "h");
  file.node("MatMul", {"h", "b"}, "y").set_name("n");
  file.output("y");
  EXPECT_EQ(import(file).error, message);
}

/// Whatever the bytes are: a module or one line of error, never a crash.
TEST(OnnxErrors, DamagedFiles) {
  OnnxFile file({1, 1, 6, 6});
  file.floats("w", {2, 1, 3, 3}, randomFloats(18, 1), /*raw=*/true);
  file.floats("b", {2}, randomFloats(2, 2));
  file.floats("d", {32, 3}, randomFloats(96, 3), /*raw=*/true);
  file.integers("flat", {1, -1});
  file.integers("pads", {0, 0, 1, 1, 0, 0, 1, 1});
  file.node("Pad", {"x", "pads"}, "p");
  set(file.node("Conv", {"p", "w", "b"}, "c"), "strides", Ints{1, 1});
  file.node("Relu", {"c"}, "r");
  onnx::NodeProto &pool = file.node("AveragePool", {"r"}, "a");
  set(pool, "kernel_shape", Ints{3, 3});
  set(pool, "pads", Ints{1, 1, 0, 0});
  file.node("Flatten", {"a"}, "v");
  file.node("Reshape", {"v", "flat"}, "f");
  file.output("y");
  file.node("Identity", {"f"}, "y");
  std::string bytes = file.bytes();
  ASSERT_EQ(importBytes("x.onnx", bytes).error, "");
  auto check = [](const std::string &damaged) {
    Imported model = importBytes("x.onnx", damaged);
    if (!model.module) {
      EXPECT_THAT(model.error, StartsWith("x.onnx"));
      EXPECT_THAT(model.error, HasSubstr(" error: "));
    }
  };
  for (size_t length = 0; length < bytes.size(); length += 5)
    check(bytes.substr(0, length));
  CounterRandom random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (uint32_t flips = 1 + random.below(3); flips > 0; --flips)
      damaged[random.below(uint32_t(bytes.size()))] ^= char(1u << random.below(8));
    check(damaged);
  }
}

} // namespace
} // namespace spindle
