// The tool under mpirun: the files of one process, and one message where something is wrong.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

#ifdef SPINDLE_MPI_TOOL

/// Before a command of a build with sanitizers: what Open MPI never frees is not ours to find.
constexpr char kLeaksOfMpi[] = "ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" ";

/// More processes than processors are no reason for Open MPI to refuse, nor is a container's root.
ToolResult runOnRanks(int ranks, const std::string &tool, const std::string &arguments) {
  return runShell(std::string(kLeaksOfMpi) +
                  "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                  "OMPI_MCA_rmaps_base_oversubscribe=1 "
                  "OMPI_MCA_btl_vader_single_copy_mechanism=none '" SPINDLE_MPIRUN "' -n " +
                  std::to_string(ranks) + " '" + tool + "' " + arguments);
}

size_t occurrences(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// The files of a run, and apart from them the number of ranks that its record names.
std::map<std::string, std::string> filesOfAnyRanks(const std::string &folder, int &ranks) {
  std::map<std::string, std::string> files = filesWithoutTiming(folder);
  auto record = nlohmann::ordered_json::parse(files["run.json"]);
  ranks = record["ranks"].get<int>();
  record.erase("ranks");
  files["run.json"] = record.dump();
  return files;
}

TEST(Mpi, TwoAndThreeRanksLeaveTheFilesOfOneProcess) {
  std::string flow = "run configs/flows/digits-mlp.yaml --set dataset.limit=50 --set "
                     "emulation.encoding=poisson --set emulation.record_samples=30 --set "
                     "emulation.record_membranes=[dense1] --until partition --out ";
  ScratchFolder scratch;
  ToolResult alone = runTool(flow + scratch / "alone");
  ASSERT_EQ(alone.exitCode, 0) << alone.errors;
  int recorded = 0;
  std::map<std::string, std::string> expected = filesOfAnyRanks(scratch / "alone", recorded);
  EXPECT_EQ(recorded, 1);
  ASSERT_TRUE(expected.count("30-spikes.h5") && expected.count("30-membranes.h5"));
  for (int ranks : {2, 3}) {
    std::string folder = scratch / std::to_string(ranks);
    ToolResult result = runOnRanks(ranks, SPINDLE_MPI_TOOL, flow + folder);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(occurrences(result.output, "partition "), 1u) << result.output;
    EXPECT_EQ(result.errors, "");
    std::map<std::string, std::string> files = filesOfAnyRanks(folder, recorded);
    EXPECT_EQ(recorded, ranks);
    for (const auto &[name, bytes] : expected)
      EXPECT_TRUE(files[name] == bytes) << name << " of " << ranks << " ranks";
  }
}

TEST(Mpi, AnErrorOfAnotherRankIsSaidOnce) {
  ScratchFolder scratch;
  writeText(scratch / "x.csv", "a,b,label\n0.5,0.5,0\n0.5,0.5,1\n0.5,0.5,0\n-1,0.5,1\n");
  writeText(scratch / "flow.yaml", "dataset: {format: csv, images: x.csv}\n"
                                   "emulation: {encoding: poisson, steps: 4}\n");
  writeText(scratch / "run/20-snn.mlir", R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = snn.encode poisson %x : tensor<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  %y = snn.decode count %s : !snn.spike_bundle<2x!snn.spike_train<?xf32>> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
)");
  std::string arguments = "emulate '" + scratch / "flow.yaml" + "' --out '" + scratch / "run" + "'";
  ToolResult alone = runTool(arguments), ranks = runOnRanks(2, SPINDLE_MPI_TOOL, arguments);
  EXPECT_EQ(alone.exitCode, 1);
  EXPECT_EQ(ranks.exitCode, 1);
  EXPECT_THAT(alone.errors, HasSubstr("sample 3 has the value -1"));
  EXPECT_EQ(occurrences(ranks.errors, alone.errors), 1u) << ranks.errors;
  EXPECT_EQ(occurrences(ranks.errors, "error: "), 1u) << ranks.errors;
}

TEST(Mpi, WhatTheFirstRankRefusesEndsAll) {
  ToolResult result = runOnRanks(2, SPINDLE_MPI_TOOL, "run configs/flows/nothing.yaml");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(occurrences(result.errors, "configs/flows/nothing.yaml: error: "), 1u) << result.errors;
}

TEST(Mpi, TheToolWithoutMpiSaysWhichOneIsMeant) {
  ToolResult result = runOnRanks(2, SPINDLE_TOOL, "run configs/flows/digits-mlp.yaml");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(occurrences(result.errors, "mpirun: error: 2 processes were started of a program "
                                       "without MPI"),
            1u)
      << result.errors;
}

TEST(Mpi, OneProcessNeedsNoMpirun) {
  ToolResult result = runShell(std::string(kLeaksOfMpi) + "'" SPINDLE_MPI_TOOL "' --version");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
}

#else

TEST(Mpi, TwoAndThreeRanksLeaveTheFilesOfOneProcess) {
  GTEST_SKIP()
      << "built without MPI; apt-get install libopenmpi-dev openmpi-bin and configure anew";
}

#endif

} // namespace
} // namespace spindle::test
