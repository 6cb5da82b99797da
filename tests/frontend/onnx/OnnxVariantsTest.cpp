// The same network written in different ways gives the same graph: across operator sets, with the
// nodes in any order, with its activation before or after a maximum.
#include "tests/frontend/Imported.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <random>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::Eq;
using Ints = std::vector<int64_t>;

void appendInput(onnx::NodeProto &node, OnnxFile &file, const std::string &name,
                 const Ints &values) {
  file.integers(name, values);
  node.add_input(name);
}

/// A chain of operators whose parameters moved between attributes and inputs over the years.
OnnxFile chain(int64_t opset) {
  OnnxFile file({1, 2, 6, 6}, opset);
  onnx::NodeProto &pad = file.node("Pad", {"x"}, "p");
  if (opset < 11)
    set(pad, "pads", Ints{0, 0, 1, 1, 0, 0, 1, 1});
  else
    appendInput(pad, file, "pads", {0, 0, 1, 1, 0, 0, 1, 1});
  file.floats("w", {3, 2, 3, 3}, randomFloats(54, 1));
  file.node("Conv", {"p", "w"}, "c");
  onnx::NodeProto &clip = file.node("Clip", {"c"}, "r");
  if (opset < 11) {
    set(clip, "min", 0.0f);
    set(clip, "max", 6.0f);
  } else {
    file.floats("least", {}, {0});
    file.floats("most", {}, {6});
    clip.add_input("least");
    clip.add_input("most");
  }
  onnx::NodeProto &drop = file.node("Dropout", {"r"}, "d");
  if (opset < 12)
    set(drop, "ratio", 0.5f);
  if (opset > 8)
    file.floats("scales", {4}, {1, 1, 2, 2});
  if (opset < 9)
    set(file.node("Upsample", {"d"}, "u"), "scales", std::vector<float>{1, 1, 2, 2});
  else if (opset < 10)
    file.node("Upsample", {"d", "scales"}, "u");
  else if (opset < 11)
    file.node("Resize", {"d", "scales"}, "u");
  else {
    onnx::NodeProto &resize = file.node("Resize", {"d", "", "scales"}, "u");
    set(resize, "coordinate_transformation_mode", std::string("asymmetric"));
    set(resize, "nearest_mode", std::string("floor"));
  }
  onnx::NodeProto &slice = file.node("Slice", {"u"}, "s");
  if (opset < 10) {
    set(slice, "starts", Ints{2, 0});
    set(slice, "ends", Ints{100, -2});
    set(slice, "axes", Ints{2, 3});
  } else {
    appendInput(slice, file, "starts", {2, 0});
    appendInput(slice, file, "ends", {100, -2});
    appendInput(slice, file, "axes", {2, 3});
  }
  onnx::NodeProto &mean = file.node("ReduceMean", {"s"}, "m");
  if (opset < 18)
    set(mean, "axes", Ints{2, 3});
  else
    appendInput(mean, file, "axes2", {2, 3});
  onnx::NodeProto &squeeze = file.node("Squeeze", {"m"}, "q");
  onnx::NodeProto &split = file.node("Split", {"q"}, "a");
  split.add_output("b");
  set(split, "axis", int64_t(1));
  if (opset < 13) {
    set(squeeze, "axes", Ints{2, 3});
    set(split, "split", Ints{1, 2});
  } else {
    appendInput(squeeze, file, "axes3", {2, 3});
    appendInput(split, file, "sizes", {1, 2});
  }
  set(file.node("Concat", {"b", "a"}, "y"), "axis", int64_t(1));
  file.output("y");
  return file;
}

TEST(OnnxVariants, OperatorSetsSevenToTwentyOneGiveOneGraph) {
  Imported last = import(chain(23));
  ASSERT_EQ(last.error, "");
  std::string expected = textOf(last);
  for (int64_t opset = 7; opset <= 23; ++opset)
    EXPECT_THAT(textOf(import(chain(opset))), Eq(expected)) << "operator set " << opset;
}

TEST(OnnxVariants, NodesInAnyOrderGiveOneGraph) {
  OnnxFile file = chain(13);
  std::string expected = textOf(import(file));
  auto &nodes = *file.model.mutable_graph()->mutable_node();
  std::mt19937 random(1);
  for (int round = 0; round < 10; ++round) {
    for (int k = nodes.size(); k-- > 1;)
      nodes.SwapElements(k, int(random() % unsigned(k + 1)));
    EXPECT_EQ(textOf(import(file)), expected);
  }
}

TEST(OnnxVariants, ValuesThatNobodyReadsMayBeOfAnyType) {
  OnnxFile file = chain(13);
  std::string expected = textOf(import(file));
  file.initializer("labels", {2}, onnx::TensorProto::STRING).add_string_data("cat");
  file.initializer("table", {3}, onnx::TensorProto::INT16).add_int32_data(1);
  file.initializer("wave", {1}, onnx::TensorProto::COMPLEX64).add_float_data(1);
  EXPECT_EQ(textOf(import(file)), expected);
}

TEST(OnnxVariants, AMaximumBeforeTheRectifierComesAfterIt) {
  std::vector<double> answers[2];
  for (bool before : {false, true}) {
    OnnxFile file({1, 1, 6, 6});
    file.floats("w", {2, 1, 3, 3}, randomFloats(18, 1));
    file.node("Conv", {"x", "w"}, "c");
    onnx::NodeProto &first = file.node(before ? "MaxPool" : "Relu", {"c"}, "m");
    onnx::NodeProto &second = file.node(before ? "Relu" : "MaxPool", {"m"}, "y");
    set(before ? first : second, "kernel_shape", Ints{2, 2});
    file.output("y");
    Imported model = import(file);
    ASSERT_EQ(model.error, "");
    EXPECT_THAT(model.layers(), ElementsAre("input 1x6x6", "conv2d conv1 2x4x4", "relu conv1 2x4x4",
                                            "max_pool2d pool1 2x3x3", "reshape 18"));
    answers[before] = model(randomDoubles(36, 2));
  }
  EXPECT_EQ(answers[0], answers[1]);
}

/// Six ways to write a staircase of four levels up to two, behind a dense layer.
TEST(OnnxVariants, ClipFloorShiftBecomesLevels) {
  auto build = [](const std::vector<std::pair<const char *, std::vector<float>>> &steps) {
    OnnxFile file({1, 5});
    file.floats("w", {5, 6}, randomFloats(30, 1));
    file.node("MatMul", {"x", "w"}, "v0");
    int count = 0;
    for (const auto &[type, constants] : steps) {
      onnx::NodeProto &node =
          file.node(type, {"v" + std::to_string(count)}, "v" + std::to_string(count + 1));
      for (float value : constants) {
        std::string name = "c" + std::to_string(count) + "_" + std::to_string(node.input_size());
        file.floats(name, {}, {value});
        node.add_input(name);
      }
      ++count;
    }
    file.output("v" + std::to_string(count));
    return import(file);
  };
  std::vector<double> x = randomDoubles(5, 2);
  for (double &value : x)
    value *= 3;
  std::vector<float> w = randomFloats(30, 1);
  std::vector<double> expected;
  for (int o = 0; o < 6; ++o) {
    double sum = 0;
    for (int i = 0; i < 5; ++i)
      sum += x[i] * w[6 * i + o];
    expected.push_back(std::clamp(std::floor(sum * 4 / 2 + 0.5), 0.0, 4.0) * 2 / 4);
  }
  const std::vector<std::vector<std::pair<const char *, std::vector<float>>>> ways = {
      {{"Div", {2}},
       {"Clip", {0, 1}},
       {"Mul", {4}},
       {"Add", {0.5}},
       {"Floor", {}},
       {"Div", {4}},
       {"Mul", {2}}},
      {{"Clip", {0, 2}}, {"Mul", {2}}, {"Add", {0.5}}, {"Floor", {}}, {"Mul", {0.5}}},
      {{"Mul", {2}}, {"Add", {0.5}}, {"Floor", {}}, {"Clip", {0, 4}}, {"Mul", {0.5}}},
      {{"Div", {0.5}}, {"Round", {}}, {"Clip", {0, 4}}, {"Mul", {0.5}}},
      {{"Relu", {}}, {"Min", {2}}, {"Mul", {2}}, {"Round", {}}, {"Div", {2}}},
      {{"Min", {2}}, {"Max", {0}}, {"Div", {0.5}}, {"Round", {}}, {"Mul", {0.5}}},
  };
  for (size_t way = 0; way < ways.size(); ++way) {
    Imported model = build(ways[way]);
    ASSERT_EQ(model.error, "") << "way " << way;
    EXPECT_THAT(model.layers(), ElementsAre("input 5", "dense dense1 6", "relu dense1 6")) << way;
    expectNear(model(x), expected);
    model.module->walk([&](snn::ReluOp relu) {
      ASSERT_TRUE(relu.getMaximumAttr() && relu.getLevelsAttr());
      EXPECT_FLOAT_EQ(relu.getMaximumAttr().getValueAsDouble(), 2);
      EXPECT_EQ(relu.getLevelsAttr().getInt(), 4);
    });
  }
}

/// Relu, then eight bits with a step of 1/32: 127 levels signed, 255 unsigned. Since operator set
/// 21 an attribute may say which, instead of a zero point.
TEST(OnnxVariants, QuantizedPairsBecomeLevels) {
  for (auto [isSigned, byAttribute] : {std::pair(true, false), std::pair(false, false),
                                       std::pair(true, true), std::pair(false, true)}) {
    OnnxFile file({1, 5}, byAttribute ? 23 : 13);
    std::vector<float> w = randomFloats(15, 1);
    file.floats("w", {5, 3}, w);
    file.floats("step", {}, {0.03125});
    onnx::TensorProto &zero =
        file.initializer("zero", {}, isSigned ? onnx::TensorProto::INT8 : onnx::TensorProto::UINT8);
    zero.add_int32_data(0);
    file.node("MatMul", {"x", "w"}, "m");
    file.node("Relu", {"m"}, "r");
    std::vector<std::string> grid = {"step"};
    if (!byAttribute)
      grid.push_back("zero");
    auto with = [&](std::vector<std::string> inputs) {
      inputs.insert(inputs.end(), grid.begin(), grid.end());
      return inputs;
    };
    onnx::NodeProto &quantize = file.node("QuantizeLinear", with({"r"}), "q");
    if (byAttribute)
      set(quantize, "output_dtype",
          int64_t(isSigned ? onnx::TensorProto::INT8 : onnx::TensorProto::UINT8));
    file.node("DequantizeLinear", with({"q"}), "y");
    file.floats("one", {3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    file.node("MatMul", {"y", "one"}, "z");
    file.output("z");
    Imported model = import(file);
    ASSERT_EQ(model.error, "");
    int levels = isSigned ? 127 : 255;
    std::vector<double> x = randomDoubles(5, 3), expected;
    for (double &value : x)
      value *= 20;
    for (int o = 0; o < 3; ++o) {
      double sum = 0;
      for (int i = 0; i < 5; ++i)
        sum += x[i] * w[3 * i + o];
      expected.push_back(std::clamp(std::nearbyint(std::max(sum, 0.0) * 32), 0.0, double(levels)) /
                         32);
    }
    expectNear(model(x), expected);
  }
}

/// Samples keep their precision, and the import says so, once.
TEST(OnnxVariants, AQuantizedInputIsLeftOutWithAWarning) {
  OnnxFile file({1, 2});
  file.floats("step", {}, {0.5f});
  file.node("QuantizeLinear", {"x", "step"}, "q");
  file.node("DequantizeLinear", {"q", "step"}, "d");
  file.floats("one", {2, 2}, {1, 0, 0, 1});
  file.node("MatMul", {"d", "one"}, "y");
  file.output("y");
  TemporaryFolder folder;
  ModelOptions options;
  options.path = folder.write("quantised.onnx", file.bytes());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<std::string> said;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { said.push_back(diagnostic.str()); });
  EXPECT_TRUE(bool(llvm::cantFail(importModel(context, options))));
  EXPECT_THAT(said, ElementsAre("the input is not rounded to steps of 0.5 from 0 to 127.5, as it "
                                "is here: samples keep their precision; round and cut them "
                                "beforehand where that changes answers"));
}

/// Weights stored as bytes with a step per filter are floats after the import.
TEST(OnnxVariants, QuantizedWeights) {
  OnnxFile file({1, 2});
  onnx::TensorProto &bytes = file.initializer("b", {3, 2}, onnx::TensorProto::INT8);
  bytes.set_raw_data(std::string("\x01\xff\x02\x00\x7f\x80", 6));
  file.floats("steps", {3}, {1, 0.5, 2});
  onnx::TensorProto &zeros = file.initializer("zeros", {3}, onnx::TensorProto::INT8);
  for (int zero : {0, 1, 0})
    zeros.add_int32_data(zero);
  set(file.node("DequantizeLinear", {"b", "steps", "zeros"}, "w"), "axis", int64_t(0));
  set(file.node("Gemm", {"x", "w"}, "y"), "transB", int64_t(1));
  file.output("y");
  EXPECT_THAT(import(file)({1, 10}), ElementsAre(1 - 10, 0.5 - 5, 254 - 2560));
}

} // namespace
} // namespace spindle
