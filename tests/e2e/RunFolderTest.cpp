// What is left in the folder of a run: nothing lost, nothing mixed.
#include "core/support/formats/Npz.h"
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spindle::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

const std::string kDigitsFlow = "configs/flows/digits-mlp.yaml";

class RunFolder : public ::testing::Test {
protected:
  std::string command(const std::string &more, const std::string &flow = kDigitsFlow) {
    return "run '" + flow + "' --set dataset.limit=100 --set emulation.record_samples=5 --out '" +
           out + "' " + more;
  }
  ToolResult run(const std::string &more = "", const std::string &flow = kDigitsFlow) {
    return runTool(command(more, flow));
  }
  void finish() {
    ToolResult result = run();
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    before = filesWithoutTiming(out);
  }
  /// Files that are gone, or have other bytes. The record and the report may say how the last run
  /// ended.
  std::vector<std::string> lost(bool hasFailed = false) {
    auto now = filesWithoutTiming(out);
    if (hasFailed)
      for (const char *name : {"run.json", "report.json", "report.html"})
        if (now.count(name))
          now[name] = before[name];
    std::vector<std::string> names;
    for (const auto &[name, bytes] : before)
      if (!now.count(name))
        names.push_back(name + " is gone");
      else if (now[name] != bytes)
        names.push_back(name + " is another");
    for (const auto &[name, bytes] : now)
      if (!before.count(name))
        names.push_back(name + " is new");
    return names;
  }
  std::string flowWithout(const std::string &line) {
    std::string text = readText(kDigitsFlow);
    size_t at = text.find(line);
    EXPECT_NE(at, std::string::npos);
    text.erase(at, text.find('\n', at) + 1 - at);
    writeText(scratch / "flow.yaml", text);
    return scratch / "flow.yaml";
  }
  nlohmann::json record() { return readJsonFile(out + "/run.json"); }

  ScratchFolder scratch;
  std::string out = scratch / "out";
  std::map<std::string, std::string> before;
};

TEST_F(RunFolder, WrongInputsLoseNoFile) {
  finish();
  writeText(scratch / "cut.mlir", readText("configs/models/digits-mlp.mlir").substr(0, 700));
  writeText(scratch / "empty", "");
  writeText(scratch / "text.npz", "no archive");
  writeText(scratch / "bytes", std::string("\xff\xfe\x00\x01", 4));
  std::string path = "--set model.path=" + scratch.path + "/", arguments = "--set model.arguments=";
  std::vector<std::string> wrong = {
      arguments + "README.md",
      arguments + scratch / "text.npz",
      arguments + scratch / "none.npz",
      arguments + "/",
      path + "cut.mlir",
      path + "none.mlir",
      path + "empty",
      path + "bytes",
      "--set model.path=README.md",
      "--set model.path=",
      "--set model.pth=x",
      "--set model=1",
      "--set 'model={}'",
      "--set model.function=nobody",
      "--set dataset.limit=0",
      "--set dataset.limit=-1",
      "--set dataset.limit=1e999",
      "--set dataset.format=gif",
      "--set 'dataset={format: idx, images: none, labels: none}'",
      "--set 'dataset={format: idx, images: README.md, labels: README.md, calibration: {images: "
      "README.md, labels: README.md}}'",
      "--set 'dataset={format: csv, images: " + scratch / "empty" + "}'",
      "--set 'dataset={format: npz, images: " + scratch / "text.npz" + "}'",
      "--set dataset.resize=3",
      "--set dataset.std=0",
      "--set conversion.percentile=101",
      "--set conversion.percentile=nan",
      "--set conversion.method=magic",
      "--set conversion.neuron=izhikevich",
      "--set emulation.steps=0",
      "--set emulation.steps=-4",
      "--set emulation.steps=many",
      "--set emulation.steps=99999999999999999999",
      "--set emulation.threads=0",
      "--set emulation.encoding=morse",
      "--set emulation.duration=5",
      "--set emulation.seed=x",
      "--set emulation.record_membranes=nobody",
      "--set fixed_point.weight_bits=0",
      "--set fixed_point.weight_bits=some",
      "--set 'fixed_point.weight_bits={dense1: 1}'",
      "--set fixed_point.integers=some",
      "--set fixed_point.input_range=3",
      "--set fixed_point.readout_bits=1",
      "--set 'fixed_point={integers: all, accumulator_bits: 9}'",
      "--set fixed_point.membrane_bits=6 --set emulation.encoding=poisson",
      "--set diagnosis.samples=0",
      "--set chip=none.yaml",
      "--set chip=README.md",
      "--set chip=" + scratch / "bytes",
      "--set partition.algorithm=magic",
      "--set partition.seed=-1",
      "--set mapping.moves=-1",
      "--set mapping.objective=beauty",
      "--set analysis.buffer=0",
      "--set simulation.samples=0",
      "--set simulation.samples=x",
      "--set nosuchkey=1",
      "--set nokey",
      "--set =1",
      "--set 'model: ['",
      "--from nowhere",
      "--until nowhere",
      "--from map --until graph",
      "--no-such-option",
      "--from",
      "--threads=0",
  };
  EXPECT_GE(wrong.size(), 60u);
  for (const std::string &each : wrong) {
    ToolResult result = run(each);
    EXPECT_EQ(result.exitCode, 1) << each << result.output;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << each << ": " << result.errors;
    EXPECT_THAT(lost(/*hasFailed=*/true), ::testing::IsEmpty()) << each << ": " << result.errors;
  }
  for (const char *flow : {"", "{}", "[]", "model:", "chip: configs/chips/mesh-128.yaml"}) {
    writeText(scratch / "flow.yaml", flow);
    ToolResult result = runTool("run '" + scratch / "flow.yaml" + "' --out '" + out + "'");
    EXPECT_EQ(result.exitCode, 1) << flow;
    EXPECT_THAT(lost(/*hasFailed=*/true), ::testing::IsEmpty()) << flow << ": " << result.errors;
  }
  ASSERT_EQ(run().exitCode, 0);
  EXPECT_THAT(lost(), ::testing::IsEmpty()) << "as it was at first";
}

TEST_F(RunFolder, AFailingStageLeavesAReportThatNamesIt) {
  finish();
  std::string small = readText("configs/chips/mesh-128.yaml");
  for (std::string key : {"columns: ", "rows: "}) // of the mesh and of the crossbars
    for (size_t at = 0; (at = small.find(key, at)) != std::string::npos; at += key.size())
      small.replace(at + key.size(), small.find_first_of(",}\n", at) - at - key.size(), "1");
  writeText(scratch / "small.yaml", small);
  ToolResult result = run("--set emulation.steps=8 --set chip='" + scratch / "small.yaml" + "'");
  EXPECT_EQ(result.exitCode, 1) << result.output;
  EXPECT_THAT(result.errors, HasSubstr("small.yaml: error: "));
  nlohmann::json report = readJsonFile(out + "/report.json");
  EXPECT_EQ(report["failed"]["stage"], "partition");
  EXPECT_EQ(report["failed"]["error"].get<std::string>() + "\n", result.errors);
  EXPECT_EQ(report["snn"]["steps"], 8);
  EXPECT_FALSE(report.contains("chip")) << "that of the run before";
  EXPECT_THAT(report["outdated"].get<std::vector<std::string>>(),
              ::testing::IsSupersetOf({"50-clusters.json", "80-chip.json"}));
  EXPECT_TRUE(std::filesystem::exists(out + "/80-chip.json"));
  ASSERT_EQ(run().exitCode, 0);
  EXPECT_THAT(lost(), ::testing::IsEmpty()) << "as it was at first";
}

TEST_F(RunFolder, AFlowWithoutAChipEndsAfterTheGraph) {
  ToolResult result = run("", flowWithout("chip:"));
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(std::filesystem::exists(out + "/40-graph.h5"));
  EXPECT_FALSE(std::filesystem::exists(out + "/50-clusters.json"));
  EXPECT_TRUE(readJsonFile(out + "/report.json").contains("graph"));
  for (const char *stage : {"--until partition", "--from map", "--until simulate"}) {
    result = run(stage, scratch / "flow.yaml");
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors,
                MatchesRegex(".*flow.yaml: error: section 'chip' is missing; the stage [a-z]+ "
                             "needs it\n"));
  }
}

TEST_F(RunFolder, FinishedStagesAreNotRunAgain) {
  finish();
  ToolResult result = run();
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  for (const char *stage : {"import", "convert", "emulate", "diagnose", "graph", "partition",
                            "analyze", "map", "simulate"})
    EXPECT_THAT(result.output, ::testing::ContainsRegex(std::string(stage) + " *up to date"));
  EXPECT_THAT(lost(), ::testing::IsEmpty());
  result = run("--force");
  EXPECT_THAT(result.output, Not(HasSubstr("up to date")));
  EXPECT_THAT(lost(), ::testing::IsEmpty());
  // Another seed of the mapping: what comes before it and does not read it stays.
  result = run("--set mapping.seed=7");
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("analyze   up to date"), Not(HasSubstr("map       up to date"))));
  // Threads change no result.
  result = run("--set mapping.seed=7 --set emulation.threads=1");
  EXPECT_THAT(result.output, Not(HasSubstr("spikes")));
}

TEST_F(RunFolder, AChangedSourceIsSeen) {
  std::string text = readText("configs/models/digits-mlp.mlir");
  writeText(scratch / "model.mlir", text);
  std::string own = "--until import --set model.path='" + scratch / "model.mlir" + "'";
  ASSERT_EQ(run(own).exitCode, 0);
  EXPECT_THAT(run(own).output, HasSubstr("import    up to date"));
  writeText(scratch / "model.mlir", text + "\n// another one\n");
  EXPECT_THAT(run(own).output, Not(HasSubstr("up to date")));
  std::filesystem::remove(out + "/10-ann.json"); // a lost file is made again
  EXPECT_THAT(run(own).output, Not(HasSubstr("up to date")));
}

TEST_F(RunFolder, TheRecordSaysWhatItWasMadeFrom) {
  finish();
  nlohmann::json all = record();
  EXPECT_THAT(all["program"].get<std::string>(), MatchesRegex("[0-9.]+ \\(.+\\)"));
  EXPECT_EQ(all["settings"]["dataset"]["limit"], "100") << "overrides applied";
  EXPECT_EQ(all["seeds"]["mapping"], 1);
  EXPECT_EQ(all["threads"], 2);
  EXPECT_FALSE(all.contains("failed"));
  ASSERT_EQ(all["stages"].size(), 9u);
  const nlohmann::json &first = all["stages"][0];
  EXPECT_EQ(first["stage"], "import");
  ASSERT_EQ(first["sources"].size(), 2u) << "the network and its weights";
  EXPECT_THAT(first["sources"].items().begin().key(), HasSubstr("digits-mlp.mlir"));
  // The hash is that of another program, where there is one.
  ToolResult other = runShell("b3sum --no-names '" + out + "/10-ann.mlir' 2>/dev/null");
  if (other.exitCode == 0) {
    EXPECT_EQ(first["outputs"]["10-ann.mlir"].get<std::string>() + "\n", other.output);
  }
  EXPECT_EQ(all["stages"][1]["inputs"]["10-ann.mlir"], first["outputs"]["10-ann.mlir"]);
}

TEST_F(RunFolder, OtherSettingsOfEarlierStagesAreSaid) {
  finish();
  ToolResult result = run("--from partition --set emulation.steps=4");
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("digits-mlp.yaml: warning: the files of the stage convert were made "
                              "with other settings: emulation.steps (64, now 4); --from convert "
                              "makes them anew")));
  ASSERT_EQ(run("--until emulate --set emulation.steps=4").exitCode, 0);
  result = run("--from partition --set emulation.steps=4");
  EXPECT_THAT(result.errors, HasSubstr("warning: the files of the stage graph are older than what "
                                       "they were made from; --from graph makes them anew"));
}

TEST_F(RunFolder, OtherSourcesOfEarlierStagesAreSaid) {
  const std::string flow = scratch / "configs/flows/f.yaml";
  const std::string model = scratch / "configs/models/digits-mlp.mlir";
  writeText(flow, readText(kDigitsFlow));
  for (const char *name : {"configs/models/digits-mlp.mlir", "configs/models/digits-mlp.npz"})
    writeText(scratch / name, readText(name));
  ASSERT_EQ(run("", flow).exitCode, 0);
  EXPECT_EQ(run("--from partition", flow).errors, "");
  writeText(model, "// x\n" + readText(model));
  EXPECT_EQ(run("--from partition", flow).errors,
            flow + ": warning: the files of the stage import were made from another " + model +
                "; --from import makes them anew\n");
}

TEST_F(RunFolder, ADamagedRecordIsMadeAnewOnRequest) {
  finish();
  for (const char *text : {"{", "", "{}", R"({"format": "spindle-run", "version": 99})"}) {
    writeText(out + "/run.json", text);
    ToolResult result = run();
    EXPECT_EQ(result.exitCode, 1) << text;
    EXPECT_THAT(result.errors, HasSubstr("/run.json")) << text;
    EXPECT_THAT(result.errors,
                HasSubstr("; or give spindle run --force, which runs every stage anew\n"));
    EXPECT_EQ(runTool("map " + std::string(kDigitsFlow) + " --out '" + out + "'").errors,
              result.errors);
    EXPECT_EQ(readText(out + "/run.json"), text);
    EXPECT_EQ(run("--force").exitCode, 0) << text;
    EXPECT_THAT(lost(), ::testing::IsEmpty()) << text;
  }
}

/// Files of before the change that a stage did not survive belong to another run.
TEST_F(RunFolder, AFailedStageLeavesNoFiguresOfTheOneBefore) {
  finish();
  std::string chip = readText("configs/chips/mesh-128.yaml");
  size_t at = chip.find("mesh: {");
  writeText(scratch / "one.yaml",
            chip.replace(at, chip.find('}', at) + 1 - at, "mesh: {columns: 1, rows: 1}"));
  ToolResult result = run("--set chip=" + (scratch / "one.yaml"));
  ASSERT_EQ(result.exitCode, 1) << result.errors;
  ASSERT_THAT(result.errors, HasSubstr("crossbars of"));
  auto report = nlohmann::json::parse(readText(out + "/report.json"));
  EXPECT_EQ(report["failed"]["stage"], "partition");
  EXPECT_TRUE(report.contains("snn"));
  for (const char *section : {"partition", "mapping", "chip"})
    EXPECT_FALSE(report.contains(section)) << section;
}

TEST_F(RunFolder, DamagedTimesAreNoFinishedStage) {
  finish();
  auto emulation = nlohmann::ordered_json::parse(readText(out + "/30-emulation.json"));
  emulation["timing"] = {{"milliseconds", 3}};
  writeText(out + "/30-emulation.json", emulation.dump());
  ToolResult result = run();
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(lost(), ::testing::IsEmpty());
}

TEST_F(RunFolder, ChoicesThatExcludeEachOtherAreRefusedFirst) {
  finish();
  for (const char *choices : {"--set emulation.encoding=latency",
                              "--set conversion.max_spikes=2 --set conversion.reset=zero"}) {
    ToolResult result = run(choices);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, ::testing::StartsWith(kDigitsFlow + ": error: ")) << choices;
    EXPECT_THAT(result.output, Not(HasSubstr("import"))) << choices;
    EXPECT_THAT(lost(), ::testing::IsEmpty()) << choices;
  }
}

TEST_F(RunFolder, WhatTheImportRefusesIsRefusedFirst) {
  finish();
  const std::string one = scratch / "one.npz";
  llvm::cantFail(writeNpz(one, {{"w", makeNpy({2}, std::vector<float>{1, 2})}}));
  const std::pair<std::string, std::string> cases[] = {
      {"model.function=nobody", "function 'nobody' is absent; there: main"},
      {"model.arguments='" + one + "'", "holds 1 arrays, function 'main' takes 4 beside the input"},
      {"dataset.pad=2", "digits-mlp.yaml:4:3: error: samples have the shape 1x32x32, the network "
                        "expects "},
  };
  for (const auto &[choice, error] : cases) {
    ToolResult result = run("--set " + choice);
    EXPECT_EQ(result.exitCode, 1) << choice;
    EXPECT_THAT(result.errors, HasSubstr(error)) << choice;
    EXPECT_THAT(result.output, Not(HasSubstr("import"))) << choice;
    EXPECT_THAT(lost(), ::testing::IsEmpty()) << choice << ": record and report stay, too";
  }
}

TEST_F(RunFolder, BelongsToOneRunAtATime) {
  finish();
  int folder = open(out.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(folder, LOCK_EX), 0); // as another run does
  for (const std::string &each : {command(""), "report '" + out + "'"}) {
    ToolResult result = runTool(each);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_EQ(result.errors, out + ": error: another spindle works in this folder; wait for its "
                                   "end or choose another folder\n");
  }
  close(folder);
  EXPECT_THAT(lost(), ::testing::IsEmpty());
  EXPECT_EQ(run().exitCode, 0);
}

TEST_F(RunFolder, TemporaryFilesFollowNoLinkAndAreGoneAfterAnError) {
  std::filesystem::create_directories(out);
  writeText(scratch / "precious", "mine");
  for (const char *name : {"10-ann.json.part", "run.json.part", "30-spikes.h5.part"})
    std::filesystem::create_symlink(scratch / "precious", out + "/" + name);
  ASSERT_EQ(run("--until graph").exitCode, 0);
  EXPECT_EQ(readText(scratch / "precious"), "mine");
  EXPECT_EQ(run("--set model.function=nobody").exitCode, 1);
  for (const auto &entry : std::filesystem::directory_iterator(out))
    EXPECT_THAT(entry.path().filename().string(), Not(::testing::StartsWith(".")));
}

TEST_F(RunFolder, AFullDiskLosesNothing) {
  finish();
  for (int blocks : {1, 8, 40, 200}) { // of 512 bytes
    ToolResult result = runShell("trap '' XFSZ; ulimit -f " + std::to_string(blocks) +
                                 "; '" SPINDLE_TOOL "' " + command("--force"));
    EXPECT_EQ(result.exitCode, 1) << blocks << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(out)) << "the place";
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    for (const auto &[name, bytes] : filesWithoutTiming(out))
      EXPECT_TRUE(before.count(name)) << name;
    EXPECT_EQ(filesWithoutTiming(out).size(), before.size());
  }
}

/// Runs the tool and kills it after `delay`; true when it was killed in time.
bool runAndKill(const std::string &arguments, std::chrono::microseconds delay) {
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    std::string line = "exec '" SPINDLE_TOOL "' " + arguments + " >/dev/null 2>&1";
    execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char *>(nullptr));
    _exit(127);
  }
  usleep(static_cast<useconds_t>(delay.count()));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST_F(RunFolder, AKilledRunGoesOnByItself) {
  finish();
  auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run("--force").exitCode, 0);
  auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  std::mt19937 random(5);
  int killed = 0;
  for (int round = 0; round < 6; ++round) {
    std::filesystem::remove_all(out);
    std::uniform_int_distribution<int64_t> moment(0, whole.count());
    std::vector<std::string> finished;
    while (runAndKill(command(""), std::chrono::microseconds(moment(random)))) {
      ++killed;
      if (std::filesystem::exists(out + "/run.json"))
        finished.push_back(readText(out + "/run.json"));
      if (finished.size() > 2)
        break;
    }
    size_t done = finished.empty() ? 0 : nlohmann::json::parse(finished.back())["stages"].size();
    ToolResult result = run();
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    size_t again = 0;
    for (size_t at = 0; (at = result.output.find("up to date", at)) != std::string::npos; ++at)
      ++again;
    EXPECT_GE(again, done) << "a finished stage ran twice: " << result.output;
    EXPECT_THAT(lost(), ::testing::IsEmpty()) << "round " << round;
  }
  EXPECT_GT(killed, 0);
}

} // namespace
} // namespace spindle::test
