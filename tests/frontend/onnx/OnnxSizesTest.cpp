// What an ONNX model may ask for: elements and connections.
#include "tests/frontend/onnx/OneNode.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::HasSubstr;

/// A few bytes that ask for much memory, or for elements of nothing.
TEST(OnnxSizes, Sizes) {
  auto refused = [](const std::string &shape, int64_t limit = 4194304) {
    return "shape " + shape + " has an extent below one or more than " + std::to_string(limit) +
           " elements";
  };
  OneNode filled("ConstantOfShape");
  filled.file.integers("s", {65536, 65536});
  filled.node().set_input(0, "s");
  EXPECT_EQ(filled.message(), refused("65536x65536"));
  OneNode expanded("Expand");
  expanded.file.floats("c", {}, {1});
  expanded.node().set_input(0, "c");
  EXPECT_EQ(expanded.with("s", {4096, 4096}).message(), refused("4096x4096"));
  OneNode outer("Add");
  outer.file.floats("c", {4096, 1}, zeros(4096));
  outer.node().set_input(0, "c");
  EXPECT_EQ(outer.with("d", {1, 4096}, zeros(4096)).message(), refused("4096x4096"));
  OneNode product("MatMul");
  product.file.integers("s", {2048, 2048});
  product.file.node("ConstantOfShape", {"s"}, "c");
  product.node().set_input(0, "c");
  product.node().add_input("c");
  EXPECT_EQ(product.message(), refused("2048x2048x2048", 134217728));
  const Ints row = {1, 5000000};
  EXPECT_EQ(OneNode("Gather", row).with("i", {0}).message(), refused("1x5000000"));
  EXPECT_EQ(OneNode("Slice", row).with("s", {0, 0}).with("e", {1, 4}).message(),
            refused("1x5000000"));
  EXPECT_EQ(OneNode("ReduceMean", row).attribute("axes", Ints{1}).message(), refused("1x5000000"));
  auto pad = [](const Ints &pads) { return OneNode("Pad").with("p", pads); };
  const Ints wide = {0, 0, 1024, 1024, 0, 0, 1024, 1024};
  EXPECT_EQ(pad(wide).attribute("mode", std::string("edge")).message(), refused("1x2x2052x2052"));
  OneNode padded = pad(wide);
  padded.file.node("Relu", {"y"}, "z");
  padded.file.model.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_THAT(padded.error(), HasSubstr(refused("1x2x2052x2052")));
  EXPECT_EQ(OneNode("Resize").with("r", {0, 0}).with("s", {4}, {1, 1, 512, 512}).message(),
            refused("1x2x2048x2048"));
  EXPECT_EQ(OneNode("MaxPool")
                .attribute("kernel_shape", Ints{65536, 65536})
                .attribute("pads", Ints{65535, 65535, 65535, 65535})
                .message(),
            refused("2x65539x65539", 134217728));
  EXPECT_EQ(OneNode("Gather").with("i", Ints{}).message(), "input 1 is absent, expected 2");
  OneNode nothing("Relu");
  nothing.file.floats("c", {0}, {});
  nothing.node().set_input(0, "c");
  EXPECT_EQ(nothing.message(), "input 0 is absent, expected 1");
  EXPECT_EQ(OneNode("Add").with("c", {0, 4}, {}).error(),
            "x.onnx: error: tensor 'c' of shape 0x4 holds 0 values");
}

/// What the file holds itself may be arranged, however large.
TEST(OnnxSizes, StoredWeightsHaveNoSuchLimit) {
  OnnxFile file({1, 2});
  file.floats("w", {2, 2200000}, zeros(4400000), /*raw=*/true);
  file.integers("s", {0});
  file.integers("e", {4});
  file.integers("a", {1});
  file.node("Slice", {"w", "s", "e", "a"}, "v");
  file.node("MatMul", {"x", "v"}, "y");
  file.output("y");
  EXPECT_EQ(import(file).error, "");
}

/// A single value that stands for all elements costs nothing.
TEST(OnnxSizes, FilledConstantsHaveNoSuchLimit) {
  OnnxFile file({1, 2});
  file.integers("s", {2048, 2048});
  file.integers("t", {2, 1, 1});
  file.node("ConstantOfShape", {"s"}, "c");
  file.node("ConstantOfShape", {"t"}, "d");
  file.node("Add", {"c", "d"}, "y");
  file.output("y");
  EXPECT_EQ(import(file).error,
            "x.onnx: output 'y': error: the result does not depend on the input");
}

/// In each dimension 138 positions between two inputs and two on them: (2 · 138 + 2)³.
TEST(OnnxSizes, Connections) {
  EXPECT_EQ(OneNode("Resize", {1, 2, 2, 2})
                .with("r", {0, 0})
                .with("s", {4}, {1, 70, 70, 70})
                .attribute("mode", std::string("linear"))
                .attribute("coordinate_transformation_mode", std::string("align_corners"))
                .message(),
            "needs 21484952 connections from 1x2x2x2 to 1x140x140x140, expected at most 16777216");
}

} // namespace
} // namespace spindle
