// Objectives of the partition, judged by the simulation of the chip.
#include "tests/e2e/Tool.h"

#include <gtest/gtest.h>

#include <utility>

namespace spindle::test {
namespace {

class PartitionObjectives : public ::testing::TestWithParam<std::pair<int, int>> {
protected:
  /// Cycles and energy per sample.
  std::pair<double, double> costs(const std::string &objective) {
    auto [rows, columns] = GetParam();
    std::string chip = readText("configs/chips/mesh-128.yaml"), all = "rows: 128, columns: 128";
    chip.replace(chip.find(all), all.size(),
                 "rows: " + std::to_string(rows) + ", columns: " + std::to_string(columns));
    writeText(scratch / "chip.yaml", chip);
    ToolResult result = runTool(
        "run configs/flows/digits-mlp.yaml --set chip='" + (scratch / "chip.yaml") +
        "' --set partition.objective=" + objective +
        " --set dataset.limit=400 --set simulation.samples=40 --out '" + (scratch / "out") + "'");
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    nlohmann::json stats = readJsonFile(scratch / "out/report.json")["chip"];
    return {stats["cycles_per_sample"]["value"], stats["energy_per_sample"]["value"]};
  }
  ScratchFolder scratch;
};

/// But for what packets that hinder each other take, which is not known before they are placed.
TEST_P(PartitionObjectives, LoseNothingOfWhatTheyAreForToTraffic) {
  auto [cycles, energy] = costs("traffic");
  EXPECT_LE(costs("time").first, 1.01 * cycles);
  EXPECT_LE(costs("energy").second, 1.01 * energy);
}

INSTANTIATE_TEST_SUITE_P(Crossbars, PartitionObjectives,
                         ::testing::Values(std::pair(64, 64), std::pair(32, 32), std::pair(16, 8),
                                           std::pair(64, 16), std::pair(128, 32)));

} // namespace
} // namespace spindle::test
