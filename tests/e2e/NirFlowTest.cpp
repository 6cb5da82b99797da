// Spiking networks of other tools: imported, run on recordings, exported.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

TEST(NirFlow, NmnistNetworkSpikesAsPublished) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data folder; set SPINDLE_DATA";
  ScratchFolder scratch;
  ToolResult result =
      runTool("run configs/flows/nmnist-cnn.yaml --until emulate --out '" + scratch.path + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  nlohmann::json snn = readJsonFile(scratch / "30-emulation.json");
  EXPECT_EQ(snn["correct_by_step"].back(), 100);
  // An independent simulation in C++, sums in the same order; published to whole spikes per sample
  // and layer: 4616, 7859, 4028, 2027, 109.
  std::map<std::string, uint64_t> expected{
      {"1", 461640}, {"3", 785916}, {"6", 402781}, {"10", 202647}, {"12", 10853}};
  std::map<std::string, uint64_t> found;
  for (size_t i = 0; i < snn["populations"].size(); ++i)
    found[snn["populations"][i]["name"]] = snn["spikes"][i];
  for (const auto &[name, spikes] : expected)
    EXPECT_EQ(found[name], spikes) << name;
  EXPECT_FALSE(readJsonFile(scratch / "report.json").contains("ann"));
  EXPECT_TRUE(readJsonFile(scratch / "report.json").contains("snn"));

  result = runTool("export '" + scratch / "20-snn.mlir" + "' --out '" + scratch / "a.nir" + "'");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  result = runTool("run configs/flows/nmnist-cnn.yaml --until convert --set 'model={path: " +
                   scratch / "a.nir" + "}' --out '" + scratch / "again" + "'");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_TRUE(readText(scratch / "again/20-snn.mlir") == readText(scratch / "20-snn.mlir"));

  result =
      runTool("run configs/flows/nmnist-cnn.yaml --until import --out '" + scratch / "only" + "'");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
}

TEST(NirFlow, ConvertedNetworkGoesOutAndComesBackWithEqualSpikes) {
  ScratchFolder scratch;
  const std::string run = "run configs/flows/digits-mlp.yaml --until emulate --set "
                          "emulation.steps=8 --set ";
  ToolResult result = runTool(run + "conversion.initial_membrane=0 --out '" + scratch / "a" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = runTool("export '" + scratch / "a/20-snn.mlir" + "' --out '" + scratch / "a.nir" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = runTool(run + "'model={path: " + scratch / "a.nir" +
                   ", reset: subtract, input: current}' --out '" + scratch / "b" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  nlohmann::json converted = readJsonFile(scratch / "a/30-emulation.json");
  nlohmann::json imported = readJsonFile(scratch / "b/30-emulation.json");
  EXPECT_GT(converted["spikes"][0], 0);
  EXPECT_EQ(readJsonFile(scratch / "a/30-statistics.json")["step_ms"], 1);
  EXPECT_EQ(readJsonFile(scratch / "b/30-statistics.json")["step_ms"], 0.1); // model.dt_ms
  EXPECT_EQ(imported["spikes"], converted["spikes"]);
  EXPECT_EQ(imported["correct_by_step"], converted["correct_by_step"]);
}

TEST(NirFlow, WidthsOfSumsNeedEventsThatComeOnceInAStep) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data folder; set SPINDLE_DATA";
  ScratchFolder scratch;
  const std::string run = "run configs/flows/nmnist-cnn.yaml --until convert --set "
                          "'fixed_point={integers: all}' --out '" +
                          scratch.path + "' --set dataset.binary=";
  ToolResult result = runTool(run + "false");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, ::testing::HasSubstr("; give dataset.binary: true"));
  result = runTool(run + "true");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
}

TEST(NirFlow, WidthsAreNotSearchedForNetworksOfOthers) {
  ScratchFolder scratch;
  ToolResult result = runTool("run configs/flows/digits-mlp.yaml --until convert --set "
                              "emulation.steps=8 --set conversion.initial_membrane=0 --out '" +
                              scratch / "a" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = runTool("export '" + scratch / "a/20-snn.mlir" + "' --out '" + scratch / "a.nir" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = runTool(
      "run configs/flows/digits-mlp.yaml --until convert --set 'model={path: " + scratch / "a.nir" +
      ", reset: subtract, input: current}' --set fixed_point.weight_bits=auto --out '" +
      scratch / "b" + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors,
              ::testing::HasSubstr("weight_bits: auto needs a network that is converted here, with "
                                   "calibration samples; give a number, or one for each layer"));
}

TEST(NirFlow, ExportSaysWhatIsWrong) {
  ScratchFolder scratch;
  ToolResult result = runTool("export configs/models/own-mlp.mlir --out a.onnx");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors, "a.onnx: error: unknown format, expected a name that ends in .nir\n");
}

} // namespace
} // namespace spindle::test
