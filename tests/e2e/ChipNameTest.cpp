// Chips are known by name in any folder.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

/// A flow in a folder of its own, which has no chips.
ToolResult runThere(const ScratchFolder &scratch, const std::string &chip) {
  std::string model = std::filesystem::current_path().string() + "/configs/models/digits-mlp";
  writeText(
      scratch / "flow.yaml",
      "model: {path: '" + model + ".mlir', arguments: '" + model +
          ".npz'}\n"
          "dataset: {format: digits, limit: 20, scale: 0.00392157, calibration: {limit: 20}}\n"
          "emulation: {steps: 4}\n"
          "simulation: {samples: 1}\n"
          "chip: " +
          chip + "\n");
  return runTool("run '" + scratch / "flow.yaml" + "' --out '" + scratch / "out" + "'");
}

} // namespace

TEST(ChipName, IsTakenFromAnyFolder) {
  ScratchFolder scratch;
  ToolResult result = runThere(scratch, "mesh-128");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(readJsonFile(scratch / "out/report.json")["chip"]["name"], "mesh-128");
}

TEST(ChipName, OthersAreListed) {
  ScratchFolder scratch;
  ToolResult result = runThere(scratch, "mesh");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors,
            scratch / "flow.yaml" +
                ":5:7: error: there is no chip 'mesh', expected loihi, "
                "mesh-128-gated, mesh-128-large, mesh-128, mesh-16-fpga or a file such as mesh.yaml\n");
  result = runTool("run configs/flows/digits-mlp.yaml --set chip=nosuch --out '" + scratch / "out" +
                   "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors,
            "--set chip: error: there is no chip 'nosuch', expected loihi, "
            "mesh-128-gated, mesh-128-large, mesh-128, mesh-16-fpga or a file such as nosuch.yaml\n");
  result = runThere(scratch, "mesh.yaml");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, ::testing::HasSubstr(":5:7: error: 'mesh.yaml' is in none of the "
                                                  "folders "));
}

} // namespace spindle::test
