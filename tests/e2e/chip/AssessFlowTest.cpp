// The stage assess on the digits, from steps with slack to steps that are far too short.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class AssessFlow : public ::testing::Test {
protected:
  ToolResult run(const std::string &command, const std::string &settings) {
    return runTool(command + " configs/flows/digits-mlp.yaml --out '" + (scratch / "out") +
                   "' --set dataset.limit=60 " + settings);
  }
  void mapDigits() {
    ToolResult mapped = run("run", "--until map");
    ASSERT_EQ(mapped.exitCode, 0) << mapped.errors;
  }
  nlohmann::json assess(const std::string &settings) {
    ToolResult result = run("assess", settings);
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    output = result.output;
    return readJsonFile(scratch / "out/report.json")["assessment"];
  }
  static uint64_t sumOf(const nlohmann::json &point, const char *count) {
    uint64_t sum = 0;
    for (const nlohmann::json &layer : point["layers"])
      sum += layer[count].get<uint64_t>();
    return sum;
  }
  ScratchFolder scratch;
  std::string output;
};

TEST_F(AssessFlow, WithSlackNothingIsLateAndTheAccuracyIsTheIdeal) {
  mapDigits();
  nlohmann::json dropped = assess(
      "--set 'assessment={samples: 60, step_us: [4, 0.13, 0.3]}' --set simulation.late=drop");
  EXPECT_THAT(output, HasSubstr("knee at 4 µs"));
  ASSERT_EQ(dropped["delivered"].size(), 3u);
  EXPECT_EQ(dropped["delivered"][0]["step"]["value"], 0.13);
  EXPECT_EQ(dropped["delivered"][2]["accuracy"], dropped["ideal_accuracy"]);
  EXPECT_EQ(dropped["ideal_accuracy"],
            readJsonFile(scratch / "out/report.json")["snn"]["accuracy"]);
  EXPECT_EQ(sumOf(dropped["delivered"][2], "late_spikes"), 0u);
  EXPECT_LT(dropped["delivered"][0]["accuracy"], 0.9);
  for (size_t point = 0; point < 2; ++point) {
    EXPECT_GT(sumOf(dropped["delivered"][point], "late_spikes"), 0u);
    EXPECT_EQ(sumOf(dropped["delivered"][point], "late_spikes"),
              sumOf(dropped["delivered"][point], "lost_spikes"));
  }
  EXPECT_GT(sumOf(dropped["delivered"][0], "late_spikes"),
            sumOf(dropped["delivered"][1], "late_spikes"));

  // Threads do not matter; late spikes that count make later ones.
  nlohmann::json one = assess("--set 'assessment={samples: 60, step_us: [0.3]}' "
                              "--set emulation.threads=1");
  EXPECT_LT(sumOf(one["delivered"][0], "lost_spikes"), sumOf(one["delivered"][0], "late_spikes"));
  nlohmann::json two = assess("--set 'assessment={samples: 60, step_us: [0.3]}' "
                              "--set emulation.threads=2");
  EXPECT_EQ(one, two);
}

TEST_F(AssessFlow, ErrorsNamePlaceAndRemedy) {
  mapDigits();
  ToolResult result = run("assess", "--set 'assessment={samples: 5}'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors,
              HasSubstr("chip 'mesh-128' has synchronisation barrier, which waits for every spike; "
                        "give assessment.step_us, the steps of a free-running chip in µs, or set "
                        "synchronisation: free in its file"));
  result = run("assess", "--set assessment.step_us=0.1");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(
      result.errors,
      HasSubstr(
          "but a step of 0.1 µs has 100; set step_us, or assessment.step_us of the flow, to 0.1"));
  for (const char *wrong : {"0", "-1", "1e7"}) {
    result = run("assess", std::string("--set 'assessment={step_us: [1, ") + wrong + "]}'");
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("expected more than 0 and at most 1000000 µs for each "
                                         "step"));
  }
  result = run("assess", "--set assessment.step_us=1 --set simulation.late=later");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("late is 'later', expected next or drop"));
  result = run("assess", "--set assessment.step_us=.nan");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("'.nan', expected"));
}

} // namespace
} // namespace spindle::test
