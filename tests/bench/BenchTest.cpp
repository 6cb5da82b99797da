// The benchmark's command line, its table and its peers on a tiny workload; never its speed.
#include "core/support/formats/Npz.h"
#include "tests/e2e/Tool.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <regex>
#include <sstream>

namespace spindle::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Cells of each line.
std::vector<std::vector<std::string>> readCsv(const std::string &path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(readText(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');)
      rows.back().push_back(cell);
  }
  return rows;
}

std::string errorOf(const std::string &arguments) {
  ToolResult result = runTool(arguments);
  EXPECT_EQ(result.exitCode, 1) << result.output << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  return result.errors;
}

TEST(Bench, WrongArguments) {
  EXPECT_THAT(errorOf(""), HasSubstr("error: A subcommand is required; see spindle bench --help"));
  EXPECT_THAT(
      errorOf("emulation --workload mpl"),
      HasSubstr("--workload: error: 'mpl' is no workload, expected one of tiny, tiny-cuba, mlp, "));
  EXPECT_THAT(errorOf("emulation --runs 0"), HasSubstr("--runs"));
  EXPECT_THAT(errorOf("emulation --fast"), HasSubstr("--fast"));
  EXPECT_THAT(errorOf("emulation --workload tiny --export /dev/null/folder"),
              HasSubstr("/dev/null/folder: error: cannot create the folder: "));
  EXPECT_THAT(errorOf("emulation --workload tiny --runs 1 --csv /none/bench.csv"),
              HasSubstr("/none/bench.csv"));
}

TEST(Bench, LargeNetworksNeedNumPy) {
  setenv("SPINDLE_PYTHON", "/none/python3", 1);
  EXPECT_THAT(errorOf("scale"), HasSubstr("/none/python3: error: does not run with NumPy, which "
                                          "draws the networks; install the package python3-numpy"));
  unsetenv("SPINDLE_PYTHON");
}

TEST(Bench, LargeNetworksHaveNames) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2> /dev/null") != 0)
    GTEST_SKIP() << "no NumPy (package python3-numpy)";
  ToolResult result = runTool("scale vgg-15");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("error: 'vgg-15' is no network, expected one of vgg-70k, "));
}

class TinyBench : public ::testing::Test {
protected:
  void TearDown() override { unsetenv("SPINDLE_PYTHON"); }
  ToolResult run(const std::string &more) {
    return runTool("emulation --workload tiny --runs 1 --csv '" + csv + "' " + more);
  }
  /// A peer's Python in the form of a shell script.
  void python(const std::string &script) {
    writeText(scratch / "python", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(scratch / "python", std::filesystem::perms::owner_all);
    setenv("SPINDLE_PYTHON", (scratch / "python").c_str(), 1);
  }
  ScratchFolder scratch;
  std::string csv = scratch / "bench.csv";
};

TEST_F(TinyBench, Columns) {
  ToolResult result = run("--lanes");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("tiny      bound: "), HasSubstr("two threads")));
  auto rows = readCsv(csv);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_THAT(rows[0],
              ElementsAre("workload", "engine", "seconds", "events_per_second", "bound_seconds"));
  EXPECT_EQ(rows[1][1], "spindle-f32");
  EXPECT_EQ(rows[2][1], "spindle-i16");
  EXPECT_EQ(rows[3][1], "spindle-f32-lanes");
  double seconds = std::stod(rows[1][2]), otherSeconds = std::stod(rows[3][2]);
  EXPECT_GT(seconds, 0);
  // Both engines in f32 work the same events, and the bound is one of the workload.
  EXPECT_NEAR(std::stod(rows[1][3]) * seconds / (std::stod(rows[3][3]) * otherSeconds), 1, 1e-4);
  EXPECT_GT(std::stod(rows[1][4]), 0);
  EXPECT_EQ(rows[1][4], rows[3][4]);
}

TEST_F(TinyBench, BoundCountsVectors) {
  // Spikes of the input meet 9 taps of 3 filters, those of the 20 neurons 4 outputs: one vector
  // each.
  std::string output = run("").output;
  std::smatch spikes, work;
  ASSERT_TRUE(std::regex_search(output, spikes, std::regex("(\\d+) \\d+ (\\d+) \\d+ spikes")));
  ASSERT_TRUE(std::regex_search(output, work, std::regex("bound: (\\S+) additions from L1")));
  double expected = 9 * std::stod(spikes[1]) + std::stod(spikes[2]);
  EXPECT_NEAR(std::stod(work[1]) / expected, 1, 0.005);
}

TEST_F(TinyBench, PeersThatAreNotInstalledAreSkipped) {
  setenv("SPINDLE_PYTHON", "/none/python3", 1);
  ToolResult result = run("--peers");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("brian2             skipped: /none/python3 does not run"));
  EXPECT_EQ(readCsv(csv).size(), 3u);

  python("echo 'skipped: no module named brian2'; exit 77");
  result = run("--peers");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("skipped: no module named brian2\n"));
}

TEST_F(TinyBench, PeersThatFail) {
  python("echo 'line 3' >&2; echo 'KeyError: steps' >&2; exit 1");
  EXPECT_THAT(run("--peers").errors, HasSubstr("pytorch_layers.py: error: ends with code 1: "
                                               "KeyError: steps\n"));
  python("echo nonsense");
  ToolResult result = run("--peers");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("pytorch_layers.py: error: not a valid file"));
}

TEST_F(TinyBench, PeersThatSpikeOtherwise) {
  python("echo '{\"seconds\": 1, \"spikes\": [1, 2], \"detail\": \"\"}'");
  ToolResult result = run("--peers");
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.errors,
              HasSubstr("pytorch_layers.py: error: answers for 2 populations, expected 4"));
  python("echo '{\"seconds\": 1, \"spikes\": [1, 2, 3, 4], \"detail\": \"\"}'");
  result = run("--peers");
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("pytorch_layers.py: error: 1 spikes in "), HasSubstr(" within 5 %")));
}

TEST_F(TinyBench, FirstSpikesOfAPeerAreEqualToOurs) {
  auto array = [](std::vector<int64_t> values) {
    return makeNpy({int64_t(values.size())}, values);
  };
  std::string spikes = scratch / "spikes.npz";
  python("while [ $# -gt 1 ]; do shift; [ \"$last\" = --spikes ] && cp '" + spikes +
         "' \"$1\"; last=$1; done; echo '{\"seconds\": 1, \"spikes\": [1], \"detail\": \"\"}'");
  auto errorsWith = [&](std::vector<NpzMember> members) {
    llvm::cantFail(writeNpz(spikes, members));
    ToolResult result = runTool("emulation --workload tiny-cuba --runs 1 --peers");
    EXPECT_EQ(result.exitCode, 2) << result.output;
    return result.errors;
  };
  EXPECT_THAT(errorsWith({{"step", array({1})}}),
              HasSubstr("brian2_recurrent.py: error: writes spikes without the arrays 'step' and "
                        "'neuron'"));
  EXPECT_THAT(errorsWith({{"step", array({0})}, {"neuron", array({401})}}),
              AllOf(HasSubstr("brian2_recurrent.py: error: 1 spikes in the first 200 steps, "
                              "expected "),
                    HasSubstr("after 0 equal ones it has step 0 neuron 401, expected step ")));
}

TEST_F(TinyBench, ExportsWhatThePeersRead) {
  ToolResult result = run("--export '" + (scratch / "files") + "'");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("peers/brian2_layers.py " + (scratch / "files/tiny.npz")));
  EXPECT_TRUE(std::filesystem::exists(scratch / "files/tiny.npz"));
  EXPECT_FALSE(std::filesystem::exists(csv));
}

} // namespace
} // namespace spindle::test
