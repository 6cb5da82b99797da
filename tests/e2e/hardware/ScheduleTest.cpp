// `spindle schedule` as a user calls it.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The published example of which a known heuristic makes interval 4: one read and one write port.
const char *const kProblem =
    R"({"format": "spindle-schedule-problem", "version": 1, "name": "canis14_fig2", "clock_period_ns": 10,
 "operator_types": [{"name": "access", "latency": 1}, {"name": "add", "latency": 1}],
 "resources": [{"name": "read", "count": 1}, {"name": "write", "count": 1}],
 "operations": [{"name": "load_A", "type": "access", "uses": ["read"]}, {"name": "load_B", "type": "access", "uses": ["read"]},
  {"name": "add", "type": "add"}, {"name": "store_A", "type": "access", "uses": ["write"]}],
 "dependences": [{"from": "load_A", "to": "add"}, {"from": "load_B", "to": "add"}, {"from": "add", "to": "store_A"},
  {"from": "store_A", "to": "load_A", "distance": 1}]})";

class Schedule : public ::testing::Test {
protected:
  Schedule() { writeText(scratch / "problem.json", kProblem); }
  ToolResult run(const std::string &more) {
    return runTool("schedule '" + (scratch / "problem.json") + "' " + more);
  }
  ScratchFolder scratch;
};

TEST_F(Schedule, PrintsIntervalBoundsAndTable) {
  for (const char *algorithm : {"modulo", "exact --seconds 5", "exact --steps 1000"}) {
    ToolResult result = run(std::string("--algorithm ") + algorithm);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(
        result.output,
        StartsWith("interval  3 (proven minimal)\n"
                   "bounds    recurrence 3: load_A -> add -> store_A -> load_A (latency "
                   "3, distance 1)\n          resource 2: read (2 cycles on 1 instance)\n"));
    EXPECT_THAT(result.output, HasSubstr("cycle  read    write\n"));
  }
  for (const char *algorithm : {"list", "sdc"})
    EXPECT_THAT(run(std::string("--algorithm ") + algorithm).output,
                StartsWith("interval  none, not pipelined\ndepth     4 (at least 3)\n"));
}

TEST_F(Schedule, WritesTheSchedule) {
  EXPECT_EQ(run("--out '" + (scratch / "schedule.json") + "'").exitCode, 0);
  nlohmann::json schedule = readJsonFile(scratch / "schedule.json");
  EXPECT_EQ(schedule["format"], "spindle-schedule");
  EXPECT_EQ(schedule["interval"], 3);
  EXPECT_EQ(schedule["operations"].size(), 4u);
}

TEST_F(Schedule, BadInputIsOneLineAndExitCodeOne) {
  ToolResult result = run("--algorithm asap");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("no instance is free for operation 'load_B' in cycle 0"));
  result = run("--algorithm greedy");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("see spindle schedule --help"));
  result = runTool("schedule '" + (scratch / "none.json") + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("none.json: error: "));
}

} // namespace
} // namespace spindle::test
