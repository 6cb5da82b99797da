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
                ":5:7: error: there is no chip 'mesh', expected dynap-se, "
                "loihi, mesh-128-gated, mesh-128-large, mesh-128, mesh-16-fpga, spinnaker2, "
                "truenorth or a file such as mesh.yaml\n");
  result = runTool("run configs/flows/digits-mlp.yaml --set chip=nosuch --out '" + scratch / "out" +
                   "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors,
            "--set chip: error: there is no chip 'nosuch', expected dynap-se, "
            "loihi, mesh-128-gated, mesh-128-large, mesh-128, mesh-16-fpga, spinnaker2, truenorth "
            "or a file such as nosuch.yaml\n");
  result = runThere(scratch, "mesh.yaml");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, ::testing::HasSubstr(":5:7: error: 'mesh.yaml' is in none of the "
                                                  "folders "));
}

/// Each of the published chips with a network that fits it, and one that does not.
TEST(ChipName, PublishedChipsRunWhatFitsThem) {
  ScratchFolder scratch;
  writeText(scratch / "net.yaml",
            "dt: 1\npopulations:\n  a: {source: poisson, size: 60, rate: 100}\n  b: {neuron: if, "
            "size: 300, threshold: 1}\n  c: {neuron: if, size: 20, threshold: 2}\nprojections:\n"
            "  - {from: a, to: b, connect: all_to_all, weight: 0.1}\n"
            "  - {from: b, to: c, connect: {fan_in: 50}, weight: 0.1}\n");
  writeText(scratch / "flow.yaml", "model: {path: net.yaml, list_synapses: true}\nemulation: "
                                   "{duration: 20, samples: 1, record_samples: 1}\nchip: loihi\n");
  for (const char *chip : {"dynap-se", "loihi", "spinnaker2", "truenorth"}) {
    std::string out = scratch / chip;
    ToolResult result =
        runTool("run '" + scratch / "flow.yaml" + "' --set chip=" + chip + " --out '" + out + "'");
    ASSERT_EQ(result.exitCode, 0) << chip << ": " << result.errors;
    nlohmann::json stats = readJsonFile(out + "/80-chip.json");
    EXPECT_GT(stats["synaptic_events"], 1000) << chip;
    EXPECT_GT(stats["energy_total_pj"], 0) << chip;
    size_t clusters = readJsonFile(out + "/50-clusters.json")["clusters"].size();
    bool hasLargeCores = chip == std::string("loihi") || chip == std::string("spinnaker2");
    EXPECT_EQ(clusters == 1, hasLargeCores) << chip << ": 320 neurons, " << clusters;
  }
  ToolResult result = runTool("run configs/flows/digits-mlp.yaml --set chip=dynap-se --set "
                              "dataset.limit=2 --out '" +
                              scratch / "wide" + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(
      result.errors,
      "dynap-se: error: layer 'dense2' needs 128 synapses for one column, "
      "crossbar.limits.fan_in is 64; divide neurons over crossbars of fewer rows, or make the "
      "layer smaller\n");
}

} // namespace spindle::test
