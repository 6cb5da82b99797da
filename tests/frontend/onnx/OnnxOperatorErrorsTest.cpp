// Error texts of the ONNX import about single operators.
#include "tests/frontend/onnx/OneNode.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::HasSubstr;

TEST(OnnxOperatorErrors, KnownOperatorsAreRefusedWithTheReason) {
  struct Refusal {
    const char *operation, *reason;
  };
  for (const Refusal &each :
       {Refusal{"QLinearConv", "it computes in integers: import the model as it was before it was "
                               "quantised, and quantise it by the section fixed_point of the flow"},
        Refusal{"LeakyRelu", "a spiking neuron approximates rectifiers only: train with Relu or a "
                             "bounded Relu (Clip from zero) instead"},
        Refusal{"MeanVarianceNormalization",
                "its factors depend on the sample, which no fixed weights express: train with "
                "BatchNormalization instead"},
        Refusal{"Loop", "control flow is not supported: export the network with its loops unrolled "
                        "and its branches decided"},
        Refusal{"LSTM", "recurrent layers are read from NIR files, not from ONNX"},
        Refusal{"ReduceMin", "it multiplies or compares activations with each other, which is no "
                             "synapse"},
        Refusal{"LpPool", "use AveragePool or MaxPool instead"},
        Refusal{"ConvTranspose",
                "transposed convolution is not supported: use Resize and Conv instead"},
        Refusal{"NonZero", "the shape of its result depends on the values, shapes must be fixed"}})
    EXPECT_EQ(OneNode(each.operation).message(),
              std::string("operator is not supported; ") + each.reason);
}

TEST(OnnxOperatorErrors, InputsAndAttributes) {
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

TEST(OnnxOperatorErrors, Arithmetic) {
  OneNode two("Mul");
  two.node().add_input("x");
  EXPECT_EQ(two.message(), "joins two activations; only their sum and difference are supported");
  OneNode unequal("Add", {1, 2, 3, 3});
  set(unequal.file.node("GlobalAveragePool", {"x"}, "g"), "unused", int64_t(0));
  unequal.node().add_input("g");
  EXPECT_EQ(unequal.message(),
            "adding an activation of 1x2x1x1 to one of 1x2x3x3 is not supported");
  EXPECT_EQ(OneNode("Add", {1, 4}).with("c", {3}, zeros(3)).message(),
            "a constant of 3 does not broadcast to an activation of 1x4");
  EXPECT_EQ(OneNode("Div", {1, 2}).with("c", {2}, {1, 0}).message(),
            "division is supported only by constants other than zero");
  EXPECT_EQ(
      OneNode("Gemm", {1, 2}).with("w", {2, 2}, zeros(4)).attribute("transA", int64_t(1)).message(),
      "cannot multiply 2x1 by 2x2, expected matrices that fit");
  EXPECT_EQ(OneNode("MatMul", {1, 2}).with("w", {3, 2}, zeros(6)).message(),
            "cannot multiply 1x2 by 3x2, expected matrices that fit");
  OneNode square("MatMul", {1, 1});
  square.node().add_input("x");
  EXPECT_EQ(square.message(),
            "the product of two activations is not supported, weights must be constant");
  OneNode batchNorm("BatchNormalization", {1, 2});
  for (const char *name : {"a", "b", "c", "d"})
    batchNorm.with(name, {3}, zeros(3));
  EXPECT_EQ(batchNorm.message(), "scale is 3, expected a constant of 2 channels");
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

TEST(OnnxOperatorErrors, Windows) {
  EXPECT_EQ(OneNode("MaxPool", {1, 4}).message(),
            "input is 1x4, expected an image: batch, channels, rows, columns");
  EXPECT_EQ(OneNode("GlobalMaxPool", {1, 4}).message(),
            "input is 1x4, expected an image: batch, channels, rows, columns");
  EXPECT_EQ(OneNode("Conv").with("w", {1, 2, 3}, zeros(6)).message(),
            "weights are 1x2x3, expected filters, channels and the kernel for an input of 1x2x4x4");
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
            "kernel_shape, strides and dilations take 2 numbers");
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
  EXPECT_EQ(pool().attribute("pads", Ints{1, 1, 1}).message(), "pads are 3 numbers, expected 4");
  EXPECT_EQ(pool()
                .attribute("strides", Ints{2, 2})
                .attribute("pads", Ints{1, 1, 0, 0})
                .attribute("count_include_pad", int64_t(1))
                .attribute("ceil_mode", int64_t(1))
                .message(),
            "ceil_mode with counted padding is not supported where a window reaches over the edge");
  EXPECT_EQ(pool().attribute("dilations", Ints{2, 2}).message(),
            "pooling with dilation is not supported");
}

TEST(OnnxOperatorErrors, Padding) {
  EXPECT_EQ(OneNode("Pad").with("p", {1, 1}).message(),
            "pads are 2 numbers, expected two for each of 4 dimensions of 1x2x4x4");
  EXPECT_EQ(OneNode("Pad")
                .with("p", {0, 0, 1, 0, 0, 0, 0, 0})
                .attribute("mode", std::string("mirror"))
                .message(),
            "mode is 'mirror', expected constant, edge, reflect or wrap");
  EXPECT_EQ(OneNode("Pad").with("p", {0, 0, 1 << 21, 0, 0, 0, 0, 0}).message(),
            "padding must be between -1048576 and 1048576");
  EXPECT_EQ(OneNode("Pad")
                .with("p", {0, 0, 1 << 21, 0, 0, 0, 0, 0})
                .attribute("mode", std::string("edge"))
                .message(),
            "padding must be between -1048576 and 1048576");
  EXPECT_EQ(OneNode("Pad").with("p", {0, 0, -2, 0, 0, 0, -2, 0}).message(),
            "padding of -2 and -2 leaves nothing of dimension 2 of 1x2x4x4");
  EXPECT_EQ(OneNode("Pad").with("p", {1, 0, 0, 0, 0, 0, 0, 0}).message(),
            "padding of the batch is not supported");
  EXPECT_EQ(OneNode("Pad").with("p", {0, 0, -4, 0, 0, 0, 4, 0}).message(),
            "keeps no element of its input of 1x2x4x4, expected at least one");
}

TEST(OnnxOperatorErrors, WindowsOverOtherThanImages) {
  OneNode fixed("MaxPool");
  fixed.file.floats("c", {1, 1, 2, 2}, zeros(4));
  fixed.node().set_input(0, "c");
  EXPECT_EQ(fixed.attribute("kernel_shape", Ints{2, 2}).message(),
            "a window over a constant is not supported, expected what depends on the input");
  OneNode swapped("Transpose");
  set(swapped.file.node("MaxPool", {"y"}, "z"), "kernel_shape", Ints{2, 2});
  swapped.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(swapped.attribute("perm", Ints{1, 0, 2, 3}).message(),
            "input is 2x1x4x4, expected an image of one sample: 1, channels, rows, columns");
}

TEST(OnnxOperatorErrors, Activations) {
  EXPECT_EQ(OneNode("Clip").with("l", {}, {-1}).with("m", {}, {1}).message(),
            "clamping to -1 … 1 is not supported, only a rectifier: zero to a positive number");
  EXPECT_EQ(OneNode("Clip").with("l", {}, {2}).with("m", {}, {1}).message(),
            "clamping to 2 … 1 is no range");
  EXPECT_EQ(OneNode("Clip").with("l", {2}, {0, 0}).message(),
            "input 1 is 2, expected a constant of one value");
  EXPECT_EQ(OneNode("Min").with("m", {}, {1}).message(),
            "a bound of 1 from above is supported only beside a rectifier");
  EXPECT_EQ(OneNode("Max").with("m", {4}, {0, 1, 0, 0}).message(),
            "a bound that differs among the elements is not supported");
  EXPECT_EQ(OneNode("Floor").message(),
            "rounding is supported only in a clip-floor-shift activation: "
            "floor(clip(x / m, 0, 1) · levels + 1/2), or clip(floor(x), 0, levels)");
  OneNode halves("Floor");
  halves.file.floats("l", {}, {0});
  halves.file.floats("m", {}, {2.5});
  halves.file.node("Clip", {"y", "l", "m"}, "z");
  halves.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_THAT(import(halves.file).error,
              HasSubstr("rounding clamped to 0 … 2.5 is not supported, expected zero to a whole "
                        "number of levels"));
  for (const char *name : {"ArgMax", "Sigmoid"}) {
    OneNode inside(name, {1, 4});
    inside.file.node("Relu", {"y"}, "z");
    inside.file.model.mutable_graph()->mutable_output(0)->set_name("z");
    EXPECT_THAT(inside.message(), HasSubstr("is supported only at the end of the network, over all "
                                            "classes"));
  }
}

/// y = Relu(DequantizeLinear(QuantizeLinear(Relu(x)))) with one thing wrong.
TEST(OnnxOperatorErrors, Quantization) {
  auto pair = [](float step, float otherStep, bool rectified, bool readTwice) {
    OnnxFile file({1, 4});
    file.floats("w", {4, 4}, randomFloats(16, 1));
    file.floats("s", {}, {step});
    file.floats("t", {}, {otherStep});
    onnx::TensorProto &zero = file.initializer("z", {}, onnx::TensorProto::INT8);
    zero.add_int32_data(0);
    file.node("MatMul", {"x", "w"}, "m");
    file.node(rectified ? "Relu" : "Identity", {"m"}, "r");
    file.node("QuantizeLinear", {"r", "s", "z"}, "q");
    file.node("DequantizeLinear", {"q", "t", "z"}, "d");
    file.node("Add", {"d", readTwice ? "q" : "x"}, "a");
    file.node("Relu", {"a"}, "y");
    file.output("y");
    return import(file).error;
  };
  EXPECT_EQ(pair(0.5, 0.5, true, false), "");
  EXPECT_THAT(pair(0, 0, true, false),
              HasSubstr("a grid of step 0 from -128 to 127 is not supported, expected a positive "
                        "step and zero on the grid"));
  EXPECT_THAT(pair(0.5, 0.25, true, false),
              HasSubstr("expected a value that QuantizeLinear made with the same scale"));
  EXPECT_THAT(
      pair(0.5, 0.5, false, false),
      HasSubstr("quantising values of both signs is not supported, only after a rectifier "
                "or with a zero point that cuts off negative values; import the model as it was "
                "before it was quantised"));
  EXPECT_THAT(pair(0.5, 0.5, true, true),
              HasSubstr("computes with quantised values; only DequantizeLinear may read them"));
  OneNode moving("QuantizeLinear");
  moving.node().add_input("x");
  EXPECT_EQ(moving.message(), "scale and zero point must be one constant each");
  OneNode back("DequantizeLinear");
  back.node().add_input("x");
  EXPECT_EQ(back.message(), "scale and zero point must be constants");
  for (const char *type : {"QuantizeLinear", "DequantizeLinear"})
    EXPECT_EQ(OneNode(type, {1, 4}, 21)
                  .with("s", {1, 4}, zeros(4))
                  .attribute("block_size", int64_t(2))
                  .message(),
              "block_size is 2, expected 0, one scale for a tensor or for each channel");
  EXPECT_EQ(OneNode("QuantizeLinear", {1, 4}, 23)
                .with("s", {}, {1})
                .attribute("output_dtype", int64_t(onnx::TensorProto::INT16))
                .message(),
            "output_dtype is INT16, expected UINT8 or INT8");
}

TEST(OnnxOperatorErrors, Resizing) {
  auto resize = [] { return OneNode("Resize").with("r", {0, 0}).with("s", {4}, {1, 1, 2, 2}); };
  EXPECT_EQ(resize().attribute("mode", std::string("cubic")).message(),
            "mode is 'cubic', expected one of nearest, linear, bilinear");
  EXPECT_EQ(resize().attribute("antialias", int64_t(1)).message(),
            "antialias, keep_aspect_ratio_policy and axes are not supported");
  EXPECT_EQ(OneNode("Resize").with("r", {0, 0}).with("s", {2}, {2, 2}).message(),
            "scales or sizes must be one number for each dimension of 1x2x4x4");
  EXPECT_EQ(OneNode("Resize").with("r", {0, 0}).with("s", {4}, {1, 1, 0, 2}).message(),
            "dimension 2 gets 0 elements, expected 1 to 1048576");
  EXPECT_EQ(OneNode("Resize").message(),
            "input 2 is absent or depends on the input of the network, expected a constant");
}

TEST(OnnxOperatorErrors, ChoosingAndJoining) {
  EXPECT_EQ(OneNode("Gather", {1, 4}).with("i", {7}).attribute("axis", int64_t(1)).message(),
            "axis is 7, expected a dimension of 4");
  EXPECT_EQ(OneNode("Concat").attribute("axis", int64_t(9)).message(),
            "axis is 9, expected a dimension of 4");
  EXPECT_EQ(OneNode("Concat").with("c", {1, 2, 4, 4}, zeros(32)).message(),
            "joining an activation and a constant is not supported");
  OneNode batch("Concat");
  batch.node().add_input("x");
  EXPECT_EQ(batch.attribute("axis", int64_t(0)).message(),
            "joining samples of the batch is not supported");
  OneNode unequal("Concat", {1, 2, 3, 3});
  unequal.file.node("GlobalAveragePool", {"x"}, "g");
  unequal.node().add_input("g");
  EXPECT_EQ(unequal.attribute("axis", int64_t(1)).message(),
            "cannot join 1x2x3x3 and 1x2x1x1 along dimension 1");
  EXPECT_EQ(OneNode("Slice").with("s", {4}).with("e", {4}).with("a", {3}).message(),
            "nothing remains of dimension 3 of 1x2x4x4");
  EXPECT_EQ(OneNode("Slice").with("s", {1, 1}).with("e", {4}).message(),
            "2 starts, 1 ends, 2 axes and 2 steps do not fit, or a step is zero");
  OneNode split("Split");
  split.node().add_output("z");
  EXPECT_EQ(split.with("s", {1, 2}).attribute("axis", int64_t(1)).message(),
            "2 parts for 2 outputs do not make up the 2 of dimension 1");
  EXPECT_EQ(OneNode("Expand").with("s", {1, 3, 4, 4}).message(),
            "1x2x4x4 does not broadcast to 1x3x4x4");
  EXPECT_EQ(OneNode("DepthToSpace").attribute("blocksize", int64_t(3)).message(),
            "blocks of 3 do not fit 1x2x4x4");
  EXPECT_EQ(OneNode("SpaceToDepth").attribute("blocksize", int64_t(3)).message(),
            "blocks of 3 do not fit 1x2x4x4");
  EXPECT_EQ(OneNode("ReduceMax").attribute("axes", Ints{1}).message(),
            "a maximum is supported only over the rows and columns of images");
  EXPECT_EQ(OneNode("ReduceMean", {2, 3}).attribute("axes", Ints{0}).message(),
            "a reduction over the batch is not supported");
  OneNode whole("Cast");
  whole.file.node("Relu", {"y"}, "z");
  whole.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(whole.attribute("to", int64_t(onnx::TensorProto::INT64)).message(),
            "a cast of an activation to integers is not supported");
  OneNode filled("ConstantOfShape");
  filled.file.integers("s", {4});
  filled.node().set_input(0, "s");
  attribute(filled.node(), "value", onnx::AttributeProto::TENSOR)
      .mutable_t()
      ->set_data_type(onnx::TensorProto::FLOAT);
  filled.node().mutable_attribute(0)->mutable_t()->add_dims(0);
  EXPECT_EQ(filled.message(), "value is 0, expected one element");
  EXPECT_EQ(OneNode("Sqrt").message(), "this function is supported only on constants");
}

TEST(OnnxOperatorErrors, Shapes) {
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
  OnnxFile constant({1, 4});
  constant.node("Constant", {}, "c").set_name("k");
  constant.node("Add", {"x", "c"}, "y");
  constant.output("y");
  EXPECT_EQ(import(constant).error,
            "x.onnx: node 'k' (Constant): error: only constants given by a tensor or by "
            "numbers are supported");
}

} // namespace
} // namespace spindle
