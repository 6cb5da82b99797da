#include "lib/frontend/ModelOptions.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

/// Reads `model:` of a flow that lies in a folder with x.mlir and w.npz.
struct Read {
  explicit Read(const std::string &text) {
    folder.write("x.mlir", "");
    folder.write("w.npz", "");
    std::string flow = folder.write("flow.yaml", text);
    llvm::Expected<YamlDocument> document = YamlDocument::load(flow);
    YamlReader reader(*document), model = reader.section("model");
    readModelOptions(model, flow, options);
    error = toText(reader.finish());
    if (size_t at = error.find(flow); at != std::string::npos)
      error.replace(at, flow.size(), "flow.yaml");
  }
  TemporaryFolder folder;
  ModelOptions options;
  std::string error;
};

TEST(ModelOptions, FindsFilesBesideTheFlow) {
  Read read("model: {path: x.mlir, function: net, arguments: w.npz, input_layout: nhwc}");
  EXPECT_EQ(read.options.path, read.folder / "x.mlir");
  EXPECT_EQ(read.options.arguments, read.folder / "w.npz");
  EXPECT_EQ(read.options.function, "net");
  EXPECT_EQ(read.options.inputLayout, InputLayout::Nhwc);
}

TEST(ModelOptions, SaysWhatIsWrong) {
  EXPECT_THAT(Read("model: {path: y.onnx}").error,
              testing::StartsWith("flow.yaml:1:15: error: 'y.onnx' is in none of the folders "));
  EXPECT_THAT(Read("model: {function: net}").error, testing::HasSubstr("path"));
  EXPECT_THAT(Read("model: {path: x.mlir, input_layout: chw}").error,
              testing::StartsWith("flow.yaml:1:37: error: "));
}

} // namespace
} // namespace spindle
