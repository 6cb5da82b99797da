#include "lib/frontend/ModelOptions.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

/// Reads `model:` of a flow that lies in a folder with x.mlir and w.npz.
struct Read {
  explicit Read(const std::string &text) {
    folder.write("x.mlir", "");
    folder.write("x.nir", "");
    folder.write("x.yaml", "");
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

TEST(ModelOptions, NirLeavesThingsOpen) {
  Read read("model: {path: x.nir, dt_ms: 1, reset: subtract, discretization: exact_crossing, "
            "input: current}");
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.options.dtMs, 1);
  EXPECT_EQ(read.options.nirReset, ModelOptions::NirReset::Subtract);
  EXPECT_EQ(read.options.discretization, ModelOptions::NirDiscretization::ExactCrossing);
  EXPECT_EQ(read.options.nirInput, ModelOptions::NirInput::Current);
  EXPECT_FALSE(read.options.resetDelay);
  EXPECT_TRUE(Read("model: {path: x.nir, reset_delay: true}").options.resetDelay);
  EXPECT_EQ(Read("model: {path: x.nir, reset_delay: 1}").error,
            "flow.yaml:1:35: error: reset_delay is '1', expected true or false");
  EXPECT_EQ(Read("model: {path: x.nir, function: net}").error,
            "flow.yaml:1:32: error: function is a key of MLIR models, a NIR file holds its own; "
            "leave it out");
  EXPECT_THAT(Read("model: {path: x.mlir, dt_ms: 1}").error,
              testing::HasSubstr("unknown key 'dt_ms' in model"));
}

TEST(ModelOptions, NetworksHaveASeed) {
  Read read("model: {path: x.yaml, seed: 4}");
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.options.networkSeed, 4);
  EXPECT_TRUE(read.options.spikesAlready());
  EXPECT_FALSE(Read("model: {path: x.mlir}").options.spikesAlready());
  EXPECT_EQ(Read("model: {path: x.yaml, arguments: w.npz}").error,
            "flow.yaml:1:34: error: arguments is a key of MLIR models, a network file holds its "
            "own; leave it out");
  EXPECT_EQ(Read("model: {path: x.yaml, input_layout: nchw}").error,
            "flow.yaml:1:23: error: unknown key 'input_layout' in model, expected path, "
            "function, arguments, seed or list_synapses");
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
