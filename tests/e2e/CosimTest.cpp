// `spindle cosim` as a user sees it: the line, the files, the exit codes.
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

#include <regex>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

TEST(CosimCommand, PrintsALineAndExitsByWhatItFinds) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  hls::KernelInterface kernel = hls::bankedSumKernel();
  hls::writeKernel(folder, kernel);
  ToolResult right =
      runTool("cosim " + folder.path() + " --runs 2 --seed 9 --dump " + (folder / "y.npz"));
  EXPECT_EQ(right.exitCode, 0) << right.errors;
  EXPECT_TRUE(std::regex_match(
      right.output, std::regex("cosim     banked_sum: 6 cycles, predicted 6; 2 runs, 0 mismatches  "
                               "\\(build [0-9.]+ s, simulation [0-9.]+ s\\)\n")))
      << right.output;
  nlohmann::json json = readJsonFile(folder / "cosim.json");
  EXPECT_EQ(json["cycles"], 6);
  EXPECT_EQ(json["predicted_cycles"], 6);
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(llvm::cantFail(readNpz(folder / "y.npz")).size(), 3u);

  ToolResult given = runTool("cosim " + folder.path() + " --in " + (folder / "x.npz"));
  EXPECT_EQ(given.exitCode, 1);
  EXPECT_EQ(given.errors, folder / "x.npz: error: cannot open: No such file or directory\n");

  kernel.predictedCycles = 5;
  llvm::cantFail(writeKernelInterface(folder / "kernel.json", kernel));
  ToolResult longer = runTool("cosim " + folder.path());
  EXPECT_EQ(longer.exitCode, 2);
  EXPECT_THAT(
      longer.errors,
      StartsWith(folder.path() + ": error: run 0 takes 6 cycles, predicted were 5; waveform: "));
  EXPECT_THAT(longer.errors, HasSubstr("(and 2 more, see cosim.json)"));
  EXPECT_EQ(readJsonFile(folder / "cosim.json")["problems"].size(), 3u);
}

} // namespace
