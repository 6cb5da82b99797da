// Loops that data end, from the command line to Verilator: the cycles are those that are measured.
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;

namespace {

struct OpenLoops : ::testing::TestWithParam<const char *> {};

TEST_P(OpenLoops, BecomeCircuits) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ToolResult made = runTool(std::string("synth tests/kernels/programs/") + GetParam() +
                            ".mlir --out " + folder.path());
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_TRUE(readJsonFile(folder / "kernel.json")["predicted_cycles"].is_null());
  nlohmann::json schedule = readJsonFile(folder / "schedule.json");
  EXPECT_TRUE(schedule["predicted_cycles"].is_null());
  for (const nlohmann::json &pipeline : schedule["pipelines"])
    if (pipeline["repeats"] == true) {
      EXPECT_EQ(pipeline["formula"], "(n - 1) * " + std::to_string(int(pipeline["interval"])) +
                                         " + " + std::to_string(int(pipeline["depth"])));
    }
  ToolResult result = runTool("cosim " + folder.path() + " --runs 3");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_GT(int(readJsonFile(folder / "cosim.json")["cycles"]), 0);
}

INSTANTIATE_TEST_SUITE_P(All, OpenLoops,
                         ::testing::Values("bfs", "bounds", "csr_f32", "gcd_subtract",
                                           "newton_f64"));

TEST(OpenLoops, ThatNeverEndAreBrokenOff) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ASSERT_EQ(runTool("synth tests/kernels/programs/newton_f32.mlir --out " + folder.path()).exitCode,
            0);
  ToolResult result = runTool("cosim " + folder.path() + " --runs 1 --max-cycles 20");
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.errors, ::testing::HasSubstr("is not done after 20 cycles"));
}

/// Longer than what is tried without an optimising compiler: they go on, and count all cycles.
TEST(OpenLoops, OfManyTurnsAreTriedAndRunAgain) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  writeText(folder / "count.mlir", R"(
func.func @count(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 255 : i32
  %least = arith.constant 60000 : i32
  %more = arith.andi %x, %mask : i32
  %all = arith.addi %least, %more : i32
  %turns = scf.while (%i = %zero) : (i32) -> i32 {
    %goes = arith.cmpi slt, %i, %all : i32
    scf.condition(%goes) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return %turns : i32
})");
  ASSERT_EQ(runTool("synth " + (folder / "count.mlir") + " --out " + folder.path()).exitCode, 0);
  ToolResult result = runTool("cosim " + folder.path() + " --runs 1");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_GT(int(readJsonFile(folder / "cosim.json")["cycles"]), 60'000);
}

} // namespace
