// Every error text of the ONNX import.
#include "lib/support/File.h"
#include "tests/frontend/Imported.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Ints = std::vector<int64_t>;

/// Builds a model around one node, which makes `y` from `x` and other tensors.
struct OneNode {
  explicit OneNode(const std::string &type, Ints input = {1, 2, 4, 4}, int64_t opset = 13)
      : file(input, opset) {
    file.node(type, {"x"}, "y").set_name("n");
    file.output("y");
  }
  onnx::NodeProto &node() { return *file.model.mutable_graph()->mutable_node(0); }
  OneNode &with(const std::string &name, const Ints &shape, const std::vector<float> &values) {
    file.floats(name, shape, values);
    node().add_input(name);
    return *this;
  }
  OneNode &with(const std::string &name, const Ints &values) {
    file.integers(name, values);
    node().add_input(name);
    return *this;
  }
  template <typename T> OneNode &attribute(const std::string &name, const T &value) {
    set(node(), name, value);
    return *this;
  }
  std::string error() { return import(file).error; }
  /// Without the place, which `place` tests.
  std::string message() {
    std::string text = error();
    size_t at = text.find(" error: ");
    return at == std::string::npos ? "no error: " + text : text.substr(at + 8);
  }
  OnnxFile file;
};

std::vector<float> zeros(size_t count) { return std::vector<float>(count, 0); }

TEST(OnnxErrors, PlaceIsTheNodeOrItsOutput) {
  OneNode named("Sin");
  EXPECT_THAT(named.error(), StartsWith("x.onnx: node 'n' (Sin): error: operator is not supported; "
                                        "supported: Add, AveragePool, BatchNormalization, "));
  OneNode unnamed("MaxPool");
  unnamed.node().clear_name();
  EXPECT_THAT(unnamed.error(),
              StartsWith("x.onnx: node 'y' (MaxPool): error: operator is not supported "
                         "(average pooling is); supported: Add, "));
}

TEST(OnnxErrors, File) {
  EXPECT_EQ(importBytes("x.onnx", "no protobuf at all").error,
            "x.onnx: error: not an ONNX model: the file is cut short or no protobuf message");
  EXPECT_EQ(importBytes("x.onnx", "").error,
            "x.onnx: error: not an ONNX model: it has no graph with nodes");
  EXPECT_EQ(importBytes("x.pt", "").error,
            "x.pt: error: unknown model format, expected .onnx, .mlir or .mlirbc");
  ModelOptions absent;
  absent.path = "absent.onnx";
  EXPECT_THAT(import(absent).error, StartsWith("absent.onnx: error: "));
}

TEST(OnnxErrors, Graph) {
  OneNode old("Relu", {1, 4}, 6);
  EXPECT_EQ(old.error(), "x.onnx: error: operator set 6 is not supported, expected 7 to 21");

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
  EXPECT_EQ(open.error(), "x.onnx: input 'x': error: dimension 1 has no fixed extent");
  OneNode shapeless("Relu", {});
  EXPECT_EQ(shapeless.error(), "x.onnx: input 'x': error: has no shape");
  OneNode integers("Relu", {1, 4});
  integers.file.model.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::INT64);
  EXPECT_EQ(integers.error(), "x.onnx: input 'x': error: elements are INT64, expected FLOAT");
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
  half.file.initializer("c", {4}, onnx::TensorProto::FLOAT16);
  half.node().add_input("c");
  EXPECT_EQ(half.error(), "x.onnx: error: tensor 'c' has elements of type FLOAT16, expected FLOAT, "
                          "DOUBLE, INT32 or INT64");
  OneNode external("Add", {1, 4});
  external.with("c", {4}, {1, 2, 3, 4});
  external.file.model.mutable_graph()->mutable_initializer(0)->set_data_location(
      onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(external.error(),
            "x.onnx: error: tensor 'c' is stored in another file, which is not supported: "
            "save the model as one file");
}

TEST(OnnxErrors, InputsAndAttributes) {
  EXPECT_EQ(OneNode("Add").message(), "input 1 is absent, expected 2");
  OneNode many("Relu");
  many.node().add_input("x");
  EXPECT_EQ(many.message(), "has 2 inputs, expected at most 1");
  EXPECT_EQ(OneNode("Flatten").attribute("axis", 1.5f).message(),
            "attribute 'axis' has another type than INT");
  OneNode dynamic("Reshape", {1, 4});
  dynamic.node().add_input("x");
  EXPECT_EQ(dynamic.message(), "input 1 depends on the input of the network, expected a constant");
  OneNode fraction("Reshape", {1, 4});
  fraction.with("s", {1}, {1e30f});
  EXPECT_THAT(fraction.message(), HasSubstr("expected an integer"));
}

TEST(OnnxErrors, Arithmetic) {
  OneNode two("Add");
  two.node().add_input("x");
  EXPECT_EQ(two.message(), "joins two activations; residual connections are not supported");
  EXPECT_EQ(OneNode("Add", {1, 4}).with("c", {3}, zeros(3)).message(),
            "a constant of 3 does not broadcast to an activation of 1x4");
  EXPECT_EQ(OneNode("Div", {1, 2}).with("c", {2}, {1, 0}).message(),
            "division is supported only by constants other than zero");
  EXPECT_EQ(
      OneNode("Gemm", {1, 2}).with("w", {2, 2}, zeros(4)).attribute("transA", int64_t(1)).message(),
      "transA is not supported");
  EXPECT_EQ(OneNode("MatMul", {1, 2}).with("w", {3, 2}, zeros(6)).message(),
            "cannot multiply 1x2 by 3x2, expected matrices that fit");
  EXPECT_EQ(OneNode("MatMul", {1, 5, 2}).with("w", {2, 3}, zeros(6)).message(),
            "the product of weights and 5 vectors is not supported, only of one");
  OneNode square("MatMul", {1, 1});
  square.node().add_input("x");
  EXPECT_EQ(square.message(),
            "the product of two activations is not supported, weights must be constant");
  OneNode batchNorm("BatchNormalization", {1, 2});
  for (const char *name : {"a", "b", "c", "d"})
    batchNorm.with(name, {3}, zeros(3));
  EXPECT_EQ(batchNorm.message(), "input 1 is 3, expected a constant of 2 channels");
  EXPECT_EQ(batchNorm.attribute("training_mode", int64_t(1)).message(),
            "training_mode and spatial = 0 are not supported");
  OneNode inside("Softmax", {1, 4});
  inside.file.node("Relu", {"y"}, "z");
  inside.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(inside.message(),
            "softmax is supported only at the end of the network, over all classes");
  EXPECT_EQ(OneNode("Softmax", {1, 4}).attribute("axis", int64_t(5)).message(),
            "axis is 5, expected a dimension of 1x4");
  OneNode batchTwo("Add", {2, 2});
  EXPECT_EQ(batchTwo.with("c", {2, 2}, {1, 2, 3, 4}).message(),
            "a constant differs among the samples of the batch");
  OneNode constants("Add", {1, 2});
  constants.file.floats("a", {2}, zeros(2));
  constants.node().set_input(0, "a");
  EXPECT_EQ(constants.with("b", {3}, zeros(3)).message(), "shapes 2 and 3 do not fit");
}

TEST(OnnxErrors, Windows) {
  EXPECT_EQ(OneNode("Conv", {1, 4}).with("w", {1, 1, 1, 1}, zeros(1)).message(),
            "input is 1x4, expected an image: batch, channels, rows, columns");
  EXPECT_EQ(OneNode("Conv").with("w", {1, 2, 3}, zeros(6)).message(),
            "weights are 1x2x3, expected filters, channels, rows, columns");
  EXPECT_EQ(OneNode("Conv").with("w", {1, 2, 5, 1}, zeros(10)).message(),
            "kernel of 5x1 does not fit the padded input of 1x2x4x4");
  EXPECT_EQ(OneNode("Conv").with("w", {1, 3, 1, 1}, zeros(3)).message(),
            "weights of 1x3x1x1 in 1 groups do not fit 2 channels");
  EXPECT_EQ(OneNode("Conv").with("w", {1, 2, 1, 1}, zeros(2)).with("b", {2}, zeros(2)).message(),
            "bias is 2, expected a constant of 1 filters");
  OneNode dynamic("Conv", {1, 1, 1, 1});
  dynamic.node().add_input("x");
  EXPECT_EQ(dynamic.message(), "weights must be a constant: filters, channels, rows, columns");
  auto conv = [] { return OneNode("Conv").with("w", {1, 2, 1, 1}, zeros(2)); };
  EXPECT_EQ(conv().attribute("strides", Ints{1}).message(),
            "kernel_shape, strides and dilations take two numbers");
  EXPECT_EQ(conv().attribute("strides", Ints{0, 1}).message(),
            "kernel_shape, strides and dilations are from 1 to 1048576, found 0");
  EXPECT_EQ(conv().attribute("pads", Ints{0, 0, -1, 0}).message(),
            "padding is [0, 0, -1, 0], expected 4 numbers from 0 to 1048576");
  EXPECT_EQ(conv().attribute("kernel_shape", Ints{2, 2}).message(),
            "kernel_shape is 2x2, the weights have 1x1");
  EXPECT_EQ(conv().attribute("auto_pad", std::string("MIRROR")).message(),
            "auto_pad is 'MIRROR', expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  auto pool = [] { return OneNode("AveragePool").attribute("kernel_shape", Ints{2, 2}); };
  EXPECT_EQ(pool().attribute("pads", Ints{2, 0, 0, 0}).message(),
            "padding [2, 0, 0, 0] must be smaller than the kernel of 2x2");
  EXPECT_EQ(pool().attribute("strides", Ints{3, 3}).attribute("ceil_mode", int64_t(1)).message(),
            "ceil_mode is not supported where a window reaches over the edge");
  EXPECT_EQ(pool().attribute("dilations", Ints{2, 2}).message(),
            "average pooling with dilation is not supported");
}

TEST(OnnxErrors, Padding) {
  EXPECT_EQ(OneNode("Pad").attribute("mode", std::string("reflect")).message(),
            "padding is supported only with zeros");
  EXPECT_EQ(OneNode("Pad").with("p", {0, 0, 1, 1, 0, 0, 1, 1}).with("v", {}, {1}).message(),
            "padding is supported only with zeros");
  EXPECT_EQ(OneNode("Pad").with("p", {1, 1}).message(), "padding of 1 dimensions for 1x2x4x4");
  EXPECT_EQ(OneNode("Pad").with("p", {0, 0, -1, 0, 0, 0, 0, 0}).message(),
            "padding must be between 0 and 1048576");
  EXPECT_EQ(OneNode("Pad").with("p", {1, 1}).with("v", {}, {0}).with("a", {2}).message(),
            "padding of chosen axes is not supported, give all dimensions");
  // A padding that no window takes up.
  EXPECT_EQ(OneNode("Pad").with("p", {0, 0, 1, 1, 0, 0, 1, 1}).message(),
            "zero padding is supported only before a convolution or a pooling");
  OneNode channels("Pad");
  channels.with("p", {0, 1, 0, 0, 0, 0, 0, 0});
  channels.file.floats("w", {1, 3, 1, 1}, zeros(3));
  channels.file.node("Conv", {"y", "w"}, "z");
  channels.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(channels.message(), "zero padding of batch or channels is not supported");
  OneNode pool("Pad");
  pool.with("p", {0, 0, 1, 1, 0, 0, 0, 0});
  set(pool.file.node("AveragePool", {"y"}, "z"), "kernel_shape", Ints{2, 2});
  set(*pool.file.model.mutable_graph()->mutable_node(1), "pads", Ints{1, 0, 0, 0});
  pool.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(pool.message(), "pooling with uncounted padding over zero padding is not supported");
  OneNode constant("Pad");
  constant.file.floats("c", {2}, zeros(2));
  constant.node().set_input(0, "c");
  EXPECT_EQ(constant.with("p", {1, 1}).message(), "padding of a constant is not supported");
}

TEST(OnnxErrors, Shapes) {
  EXPECT_EQ(OneNode("Reshape", {1, 4}).with("s", {3, 2}).message(),
            "1x4 cannot be arranged as 3x2, the number of elements differs");
  EXPECT_EQ(OneNode("Reshape", {1, 4}).with("s", {-1, -1}).message(), "-1x-1 is no shape for 1x4");
  EXPECT_EQ(OneNode("Transpose", {1, 4}).attribute("perm", Ints{0, 0}).message(),
            "permutation [0, 0] does not name each dimension of 1x4 once");
  EXPECT_EQ(OneNode("Flatten").attribute("axis", int64_t(7)).message(),
            "axis is 7, expected a dimension of 5");
  EXPECT_EQ(OneNode("Squeeze", {1, 4}).with("a", {1}).message(), "dimension 1 of 1x4 is not one");
  EXPECT_EQ(OneNode("Squeeze", {1, 1}).message(),
            "an activation without dimensions is not supported");
  EXPECT_EQ(OneNode("Unsqueeze", {1, 4}).with("a", {0, 0}).message(), "axis 0 is given twice");
  EXPECT_EQ(OneNode("Gather", {1, 4}).with("i", {0}).message(),
            "gathering is supported only from a constant vector");
  EXPECT_EQ(OneNode("Concat", {1, 4}).message(), "joining is supported only of constant vectors");
  OnnxFile constant({1, 4});
  constant.node("Constant", {}, "c").set_name("k");
  constant.node("Add", {"x", "c"}, "y");
  constant.output("y");
  EXPECT_EQ(import(constant).error,
            "x.onnx: node 'k' (Constant): error: only constants given by a tensor are supported");
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
