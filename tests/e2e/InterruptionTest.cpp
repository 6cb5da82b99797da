// Ctrl-C and its like: nothing unfinished is left, and what is finished stays.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace spindle::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kRunLine =
    "spindle: interrupted; finished stages are kept, the same command goes on from there\n";
const std::string kOtherLine =
    "spindle: interrupted; finished files are kept, unfinished ones are removed\n";

class Interruption : public ::testing::Test {
protected:
  ~Interruption() override {
    if (tool > 0) { // a failed test has left it
      kill(-tool, SIGKILL);
      waitpid(tool, nullptr, 0);
    }
  }

  /// Its emulation takes longer than a test.
  std::string command(const std::string &words, const std::string &steps = "200000") {
    return words + " configs/flows/digits-mlp.yaml --set dataset.limit=100 --set " +
           "emulation.record_samples=1 --set emulation.steps=" + steps + " --out '" + out + "'";
  }
  /// In a process group of its own, as a shell starts it.
  void start(const std::string &arguments) {
    std::string line = "exec '" SPINDLE_TOOL "' " + arguments + " >/dev/null 2>'" + errors + "'";
    tool = fork();
    if (tool == 0) {
      setpgid(0, 0);
      for (int each : {SIGINT, SIGTERM, SIGHUP})
        std::signal(each, SIG_DFL); // this test may run in the background
      execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char *>(nullptr));
      _exit(127);
    }
    setpgid(tool, tool); // the child, or this: whoever comes first
  }
  /// Once it is done: the exit code that a shell shows.
  int end() {
    int status = 0;
    waitpid(std::exchange(tool, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::vector<std::string> unfinished() {
    std::vector<std::string> names;
    std::error_code absent;
    for (const auto &entry : std::filesystem::directory_iterator(out, absent))
      if (std::string name = entry.path().filename().string(); name.starts_with("."))
        names.push_back(name);
    return names;
  }
  /// Once the network of the emulation is there, and the folder of a stage.
  int interruptEmulation(int signal) {
    auto latest = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    while (unfinished().empty() || !std::filesystem::exists(out + "/20-snn.mlir")) {
      EXPECT_LT(std::chrono::steady_clock::now(), latest) << readText(errors);
      if (HasFailure())
        return -1;
      usleep(1000);
    }
    kill(-tool, signal);
    return end();
  }

  ScratchFolder scratch;
  std::string out = scratch / "out", errors = scratch / "errors";
  pid_t tool = 0;
};

TEST_F(Interruption, KeepsWhatIsFinished) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove_all(out);
    start(command("run"));
    EXPECT_EQ(interruptEmulation(signal), 128 + signal);
    EXPECT_EQ(readText(errors), kRunLine);
    EXPECT_THAT(unfinished(), IsEmpty());
    nlohmann::json record = readJsonFile(out + "/run.json");
    EXPECT_EQ(record["stages"].size(), 2u);
    EXPECT_FALSE(record.contains("failed"));
    ToolResult result = runTool(command("run --until convert"));
    EXPECT_EQ(result.exitCode, 0) << "nobody holds the folder: " << result.errors;
    EXPECT_THAT(result.output, HasSubstr("convert   up to date"));
  }
  start(command("emulate"));
  EXPECT_EQ(interruptEmulation(SIGTERM), 128 + SIGTERM);
  EXPECT_EQ(readText(errors), kOtherLine);
  EXPECT_THAT(unfinished(), IsEmpty());
}

TEST_F(Interruption, LeavesNothingAtAnyMoment) {
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(runTool(command("run", "16")).exitCode, 0);
  auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  std::uniform_int_distribution<int64_t> moment(0, whole.count());
  std::mt19937 random(5);
  int interrupted = 0;
  for (int round = 0; round < 20; ++round) {
    std::filesystem::remove_all(out);
    start(command("run", "16"));
    usleep(static_cast<useconds_t>(moment(random)));
    kill(-tool, SIGINT);
    int code = end();
    EXPECT_THAT(code, AnyOf(0, 128 + SIGINT)) << "and no error of its own";
    EXPECT_THAT(readText(errors), AnyOf("", kRunLine)) << "none before it is ready";
    EXPECT_THAT(unfinished(), IsEmpty());
    interrupted += code != 0;
  }
  EXPECT_GT(interrupted, 0);
  ASSERT_EQ(runTool(command("run", "16")).exitCode, 0);
}

} // namespace
} // namespace spindle::test
