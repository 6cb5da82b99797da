// What `analyze` predicts, and what the chip simulation finds, however the chip keeps time.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

class SynchronisationFlow : public ::testing::Test {
protected:
  void writeChip(const std::string &synchronisation) {
    std::string chip = readText("configs/chips/mesh-128.yaml");
    writeText(scratch / "chip.yaml", chip + synchronisation);
  }
  void run(const std::string &command) {
    ToolResult result =
        runTool(command + " configs/flows/digits-mlp.yaml --out '" + (scratch / "out") +
                "' --set dataset.limit=20 --set 'chip=" + (scratch / "chip.yaml") + "'");
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
  }
  ScratchFolder scratch;
};

TEST_F(SynchronisationFlow, ThePredictionIsWithinFivePercentOfTheSteadyState) {
  writeChip("");
  run("run --until partition");
  for (const std::string kind : {"barrier", "pipeline", "free"}) {
    writeChip(
        "synchronisation: " + kind + "\n" +
        (kind == "free" ? "step_us: {value: 1, source: \"assumption: a microsecond\"}\n" : ""));
    for (const std::string command : {"analyze", "map", "simulate"})
      run(command);
    double predicted = readJsonFile(scratch / "out/60-sdf-analysis.json")["period"];
    nlohmann::json stats = readJsonFile(scratch / "out/80-chip.json");
    EXPECT_EQ(stats["synchronisation"], kind);
    double steady = stats["steady_cycles_per_sample"];
    EXPECT_GT(steady, 0);
    EXPECT_NEAR(predicted / steady, 1, 0.05)
        << kind << ": " << predicted << ", simulated " << steady;
    EXPECT_EQ(stats["late_row_reads"], 0) << kind;
  }
}

} // namespace
} // namespace spindle::test
