// `spindle explore`: points as runs of their own make them, each once, whatever ends the sweep
// early.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <csignal>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace spindle::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmall = "set: {dataset.limit: 60, dataset.calibration.limit: 60, "
                           "emulation.record_samples: 4, emulation.threads: 1}\n";
/// Eight points, two emulations.
const std::string kGrid = "flow: configs/flows/digits-mlp.yaml\n" + kSmall +
                          "vary:\n  emulation.steps: [4, 8]\n  partition.algorithm: [greedy, "
                          "first_fit]\n  chip.crossbar.columns: [70, 128]\n";

class Explore : public ::testing::Test {
protected:
  std::string sweep(const std::string &text) {
    writeText(scratch / "sweep.yaml", text);
    return scratch / "sweep.yaml";
  }
  ToolResult explore(const std::string &text, const std::string &more = "") {
    return runTool("explore '" + sweep(text) + "' --out '" + out + "' " + more);
  }
  std::string errorOf(const std::string &text) {
    ToolResult result = explore(text);
    EXPECT_EQ(result.exitCode, 1) << result.output;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    size_t at = result.errors.find("sweep.yaml");
    return at == std::string::npos ? result.errors : result.errors.substr(at);
  }
  /// What `collect` writes.
  std::vector<std::string> tables() {
    std::vector<std::string> bytes;
    for (const char *name : {"/points.csv", "/points.sqlite", "/front.html"})
      bytes.push_back(readText(out + name));
    return bytes;
  }
  /// By path: when it was written, and as which file.
  std::map<std::string, std::pair<fs::file_time_type, std::string>> finished() {
    std::map<std::string, std::pair<fs::file_time_type, std::string>> files;
    std::error_code absent;
    for (const auto &entry : fs::directory_iterator(out + "/points", absent))
      if (fs::path file = entry.path() / "point.json"; fs::exists(file))
        files[file.string()] = {fs::last_write_time(file), readText(file.string())};
    return files;
  }
  size_t countStages(const std::string &stage) {
    size_t count = 0;
    for (const auto &entry : fs::directory_iterator(out + "/stages"))
      count += entry.path().filename().string().starts_with(stage + "-");
    return count;
  }
  /// Points that a run of the tool worked on.
  static size_t worked(const ToolResult &result) {
    size_t count = 0;
    for (const char *word : {"  done  (", "  failed: "})
      for (size_t at = 0; (at = result.output.find(word, at)) != std::string::npos; ++at)
        ++count;
    return count;
  }

  ScratchFolder scratch;
  std::string out = scratch / "out";
};

/// Want of room says nothing of a setting: the sweep stops, and goes on once there is room.
TEST_F(Explore, AFullDiskIsNoResult) {
  std::string command = "; '" SPINDLE_TOOL "' explore '" + sweep(kGrid) + "' --out '" + out + "'";
  for (int blocks : {8, 100, 300}) { // of 512 bytes, in any file
    ToolResult full = runShell("trap '' XFSZ; ulimit -f " + std::to_string(blocks) + command);
    EXPECT_EQ(full.exitCode, 1) << blocks << full.output;
    EXPECT_THAT(full.errors, HasSubstr("File too large; what is done stays, run the same command "
                                       "again when there is room"));
    EXPECT_EQ(full.output.find("failed"), std::string::npos) << full.output;
  }
  ToolResult roomy = explore(kGrid);
  EXPECT_EQ(roomy.exitCode, 0) << roomy.errors;
  EXPECT_THAT(roomy.output, HasSubstr("8 points, 0 failed"));
}

TEST_F(Explore, ASweepOfFailuresIsOne) {
  ToolResult result = explore(
      "flow: configs/flows/digits-mlp.yaml\n" + kSmall +
      "vary:\n  chip.crossbar.columns: [1, 2]\n  chip.mesh.columns: [1]\n  chip.mesh.rows: [1]\n");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.output, HasSubstr("2 points, 2 failed"));
  EXPECT_THAT(result.errors,
              HasSubstr(": error: every point failed; points.csv says why each of them"));
}

TEST_F(Explore, PointsAreThoseOfRunsOfTheirOwn) {
  ToolResult result = explore(kGrid);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(worked(result), 8u);
  EXPECT_EQ(countStages("import"), 1u);
  EXPECT_EQ(countStages("emulate"), 2u);
  EXPECT_EQ(countStages("simulate"), 8u);
  // The command of a point, run elsewhere, gives its numbers.
  std::istringstream csv(readText(out + "/points.csv"));
  std::string line;
  std::getline(csv, line);
  size_t repeated = 0;
  for (size_t row = 0; std::getline(csv, line); ++row) {
    if (row % 3 != 0)
      continue;
    std::string command = line.substr(line.find("spindle run ") + 8);
    ToolResult again = runTool(command + " --out '" + scratch / "again" + "'");
    ASSERT_EQ(again.exitCode, 0) << again.errors;
    nlohmann::json report = readJsonFile(scratch / "again/report.json");
    std::string point = out + "/points/" + line.substr(0, 16);
    nlohmann::json figures = readJsonFile(point + "/point.json")["figures"];
    EXPECT_EQ(figures["snn.accuracy"], report["snn"]["accuracy"]);
    EXPECT_EQ(figures["chip.cycles_per_sample"], report["chip"]["cycles_per_sample"]["value"]);
    EXPECT_EQ(figures["partition.clusters"], report["partition"]["clusters"]);
    for (const char *file : {"/50-clusters.json", "/80-chip.json"})
      EXPECT_EQ(readText(point + file), readText(scratch / "again" + file)) << file;
    ++repeated;
  }
  EXPECT_EQ(repeated, 3u);
  auto before = tables();
  auto files = finished();
  result = explore(kGrid);
  EXPECT_EQ(worked(result), 0u) << "all of it is there";
  EXPECT_EQ(tables(), before);
  EXPECT_EQ(finished(), files);
  ASSERT_EQ(runTool("collect '" + out + "'").exitCode, 0);
  EXPECT_EQ(tables(), before);
}

TEST_F(Explore, AKilledSweepGoesOnWithThePointsInFlight) {
  ASSERT_EQ(explore(kGrid).exitCode, 0);
  auto whole = tables();
  size_t killed = 0;
  for (size_t enough : {2u, 5u}) {
    fs::remove_all(out);
    std::string line = "exec '" SPINDLE_TOOL "' explore '" + sweep(kGrid) + "' --out '" + out +
                       "' >/dev/null 2>&1";
    pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char *>(nullptr));
      _exit(127);
    }
    for (int wait = 0; wait < 60'000 && finished().size() < enough; ++wait)
      usleep(1000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    auto kept = finished();
    EXPECT_GE(kept.size(), enough);
    ToolResult result = explore(kGrid);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(worked(result), 8 - kept.size());
    EXPECT_EQ(tables(), whole);
    for (const auto &[path, file] : kept)
      EXPECT_EQ(finished()[path], file) << path;
  }
  EXPECT_GT(killed, 0u);
}

/// What points share is made anew where its files are damaged or gone, and linked again.
TEST_F(Explore, DamagedStagesAreMadeAnew) {
  ASSERT_EQ(explore(kGrid).exitCode, 0);
  auto points = finished();
  auto written = [&] {
    std::map<std::string, fs::file_time_type> times;
    for (const auto &entry : fs::recursive_directory_iterator(out + "/stages"))
      if (entry.is_regular_file())
        times[entry.path().string()] = fs::last_write_time(entry.path());
    return times;
  };
  auto once = written();
  fs::remove_all(out + "/points");
  ASSERT_EQ(explore(kGrid).exitCode, 0);
  EXPECT_EQ(written(), once); // whole ones are taken as they are
  auto stored = [&](const std::string &name) {
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(out + "/stages"))
      if (entry.path().filename() == name)
        files.push_back(entry.path());
    return files;
  };
  std::map<fs::path, std::string> before;
  for (const std::string name : {"30-emulation.json", "50-clusters.json", "hashes.json"})
    for (const fs::path &file : stored(name))
      before[file] = readText(file.string());
  int way = 0;
  for (const auto &[file, text] : before)
    switch (way++ % 4) {
    case 0:
      writeText(file.string(), text.substr(0, text.size() / 2));
      break;
    case 1:
      writeText(file.string(), text + " ");
      break;
    case 2:
      fs::remove(file);
      break;
    default:
      writeText(file.string(), "{\"30-emulation.json\": 1, \"../x\": [\"\"]}");
    }
  fs::remove_all(out + "/points");
  ToolResult again = explore(kGrid);
  EXPECT_EQ(again.exitCode, 0) << again.errors << again.output;
  EXPECT_EQ(worked(again), points.size());
  for (const auto &[file, finish] : finished())
    EXPECT_EQ(finish.second, points[file].second) << file;
  for (const auto &[file, text] : before)
    if (file.filename() == "50-clusters.json") { // the others have times, and hashes of them
      EXPECT_EQ(readText(file.string()), text) << file;
    } else {
      EXPECT_TRUE(nlohmann::json::accept(readText(file.string()))) << file;
    }
}

TEST_F(Explore, ShardsAndRanksAreTheWhole) {
  ASSERT_EQ(explore(kGrid).exitCode, 0);
  auto whole = tables();
  using Commands = std::vector<std::string>;
  std::string words = "explore '" + sweep(kGrid) + "' --out '" + out + "'";
  std::string tool = std::string("'") + SPINDLE_TOOL + "' " + words;
  for (const Commands &commands :
       {Commands{tool + " --shard 1/2", tool + " --shard 2/2"}, Commands{tool, tool},
        Commands{"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 " + tool,
                 "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 " + tool}}) {
    fs::remove_all(out);
    std::vector<ToolResult> results(commands.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < commands.size(); ++i)
      threads.emplace_back([&, i] { results[i] = runShell(commands[i]); });
    for (std::thread &thread : threads)
      thread.join();
    size_t points = 0;
    for (const ToolResult &result : results) {
      EXPECT_EQ(result.exitCode, 0) << result.errors;
      points += worked(result);
    }
    EXPECT_EQ(points, 8u) << "each point once: " << commands.front();
    EXPECT_EQ(countStages("emulate"), 2u);
    EXPECT_EQ(tables(), whole) << commands.front();
  }
  fs::remove_all(out);
  ToolResult half = runTool(words + " --shard 1/2");
  EXPECT_THAT(half.output, HasSubstr("4 of 8 points are not there yet"));
  EXPECT_FALSE(fs::exists(out + "/points.csv"));
  EXPECT_EQ(runTool(words + " --shard 3/2").errors,
            "--shard: error: found '3/2', expected I/N with I from 1 to N, such as 1/4\n");
}

TEST_F(Explore, AFailedPointKeepsItsError) {
  // The network needs three crossbars of 64 columns, the chip has one or 64.
  std::string text = "flow: configs/flows/digits-mlp.yaml\n" + kSmall +
                     "vary:\n  chip.crossbar.columns: [64]\n  chip.mesh: [{columns: 1, rows: 1}, "
                     "{columns: 8, rows: 8}]\n";
  ToolResult result = explore(text);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("2 points, 1 failed, 1 on the front"),
                                   HasSubstr("the network needs at least 3 crossbars of 128x64")));
  EXPECT_THAT(readText(out + "/points.csv"),
              HasSubstr("the network needs at least 3 crossbars of 128x64"));
  EXPECT_THAT(readText(out + "/front.html"),
              HasSubstr("the network needs at least 3 crossbars of 128x64"));
  EXPECT_THAT(readText(out + "/points.csv"), ::testing::Not(HasSubstr("error: " + out)));
  EXPECT_EQ(worked(explore(text)), 0u);
  EXPECT_EQ(worked(explore(text, "--retry")), 1u);
}

TEST_F(Explore, MistakesAreRefusedBeforeTheFirstPoint) {
  std::string flow = "flow: configs/flows/digits-mlp.yaml\n" + kSmall;
  EXPECT_EQ(
      errorOf(flow + "vary: {conversion.poolng: [linear]}\n"),
      "sweep.yaml:3:27: error: unknown key 'poolng' in conversion (did you mean 'pooling'?)\n");
  EXPECT_EQ(errorOf(flow + "vary: {emulation.steps: [8, 0]}\n"),
            "sweep.yaml:3:25: error: steps is 0, expected 1 to 1000000\n");
  EXPECT_THAT(errorOf(flow + "vary: {chip.crossbar.colums: [8]}\n"),
              StartsWith("sweep.yaml:3:30: error: unknown key 'colums' in crossbar"));
  EXPECT_THAT(errorOf("flow: configs/flows/digits-mlp.yaml\nset: {emulation.stps: 3}\nvary: "
                      "{emulation.steps: [8]}\n"),
              StartsWith("sweep.yaml:2:23: error: unknown key 'stps' in emulation"));
  EXPECT_THAT(errorOf("flow: none.yaml\nvary: {emulation.steps: [8]}\n"),
              StartsWith("sweep.yaml:1:7: error: 'none.yaml' is in none of the folders"));
  EXPECT_THAT(errorOf(flow + "vary: {emulation.steps: [8]}\nuntil: nosuch\n"),
              StartsWith("sweep.yaml:4:8: error: unknown stage 'nosuch', expected one of import"));
  EXPECT_THAT(errorOf(flow + "sample: {points: 2, seed: 1}\nvary: {emulation.steps: {from: 2, to: "
                             "6, draw: uniform}}\n"),
              StartsWith("sweep.yaml:4:25: error: steps is '3.5"));
  EXPECT_THAT(errorOf(flow + "sample: {points: 2, seed: 1}\nvary: {emulation.steps: {from: "
                             "1e-320, to: 1, draw: logarithmic}}\n"),
              StartsWith("sweep.yaml:4:25: error: steps is"));
  EXPECT_FALSE(fs::exists(out + "/points"));
  // A number that no report has shows when the first point is done.
  EXPECT_THAT(errorOf(flow + "vary: {emulation.steps: [4, 8]}\nobjectives: {snn.acuracy: max}\n"),
              StartsWith("sweep.yaml:4:27: error: the report has no number 'snn.acuracy' (did you "
                         "mean 'snn.accuracy'?); "));
  EXPECT_EQ(finished().size(), 1u);
  // … and when it is there already.
  EXPECT_THAT(errorOf(flow + "vary: {emulation.steps: [4]}\nconstraints: {snn.acuracy: {least: "
                             "0.5}}\n"),
              StartsWith("sweep.yaml:4:28: error: the report has no number 'snn.acuracy'"));
}

/// Values that no flow takes alone are tried in points; combinations that are none fail as points.
TEST_F(Explore, ValuesThatNeedEachOtherAreTriedTogether) {
  std::string flow = "flow: configs/flows/hw-digits.yaml\n" + kSmall + "until: emulate\n" +
                     "objectives: {snn.accuracy: max}\n";
  ToolResult result = explore(flow + "vary: {hardware.channels: [2, 4], hardware.bus: [stream, "
                                     "memory]}\n");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("4 points, 2 failed")) << result.output;
  EXPECT_THAT(
      errorOf(flow + "vary: {hardware.channels: [2, 99], hardware.bus: [stream, memory]}\n"),
      StartsWith("sweep.yaml:5:27: error: channels is 99"));
}

/// A chip that is loaded several times has no cycles per sample.
TEST_F(Explore, APointWithoutTheNumberOfOthersFailsAlone) {
  std::string text = "flow: configs/flows/digits-mlp.yaml\n"
                     "set: {dataset.limit: 60, dataset.calibration.limit: 60, emulation.steps: 4, "
                     "emulation.record_samples: 4, partition.multiplex: true, "
                     "partition.crossbars: all, chip.crossbar.columns: 70, "
                     "chip.version: 2, chip.load.row_cycles: {value: 10, source: test}}\n"
                     "objectives: {chip.cycles_per_sample: min}\n"
                     "vary: {chip.mesh.rows: [1], chip.mesh.columns: ";
  std::vector<std::vector<std::string>> found;
  for (const char *order : {"[2, 1, 3]", "[1, 2, 3]"}) {
    fs::remove_all(out);
    ToolResult result = explore(text + order + "}\n");
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("3 points, 1 failed"));
    EXPECT_THAT(readText(out + "/points.csv"), HasSubstr("the report has no number "
                                                         "'chip.cycles_per_sample', which other"));
    found.push_back(tables());
    EXPECT_EQ(worked(explore(text + order + "}\n")), 0u);
  }
  EXPECT_EQ(found[0][0], found[1][0]);
  // None of one point alone.
  fs::remove_all(out);
  EXPECT_THAT(errorOf(text + "[1]}\n"), StartsWith("sweep.yaml:3:38: error: the report has no "
                                                   "number 'chip.cycles_per_sample'"));
}

TEST_F(Explore, UsualObjectivesThatAFlowLacksAreNamed) {
  EXPECT_THAT(errorOf("flow: configs/flows/digits-mlp.yaml\n" + kSmall +
                      "until: partition\nvary: {emulation.steps: [4]}\n"),
              HasSubstr("sweep.yaml: error: the report has no number 'chip.cycles_per_sample', a "
                        "usual objective; name those that you want under objectives; "));
  fs::remove_all(out);
  EXPECT_THAT(errorOf("flow: configs/flows/digits-mlp.yaml\n" + kSmall +
                      "until: import\nvary: {emulation.steps: [4, 8]}\n"),
              HasSubstr("the report has no number 'snn.accuracy', a usual objective"));
  EXPECT_EQ(finished().size(), 1u);
}

/// Keys that are set for all points may need each other, whatever their order, and be of a chip
/// that varies.
TEST_F(Explore, SetKeysGoTogether) {
  ToolResult result = explore(
      "flow: configs/flows/digits-mlp.yaml\nset: {chip.crossbar.device.levels: 4, "
      "chip.crossbar.device.source: test, dataset.limit: 20, dataset.calibration.limit: 20, "
      "emulation.steps: 4, emulation.record_samples: 2, emulation.threads: 1}\n"
      "vary: {chip: [mesh-128, loihi]}\n");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 points, 0 failed")) << result.output;
  // A mistake among them is at its own place, and the chip need not be in the flow.
  std::string flow = readText("configs/flows/digits-mlp.yaml");
  size_t chip = flow.find("\nchip:");
  ASSERT_NE(chip, std::string::npos);
  writeText(scratch / "chipless.yaml", flow.erase(chip, flow.find('\n', chip + 1) - chip));
  EXPECT_THAT(errorOf("flow: chipless.yaml\nset: {chip.crossbar.columns: 64, chip.crossbar.rows: "
                      "-1, emulation.steps: 4, chip.mesh.rows: 4}\nvary: {chip: [mesh-128]}\n"),
              StartsWith("sweep.yaml:2:54: error: rows is -1"));
  // What varies is what the flow lacks; a mistake of the flow is not one of the first key.
  fs::remove_all(out);
  result = explore("flow: chipless.yaml\n" + kSmall +
                   "until: emulate\nobjectives: {snn.accuracy: "
                   "max}\nvary: {chip: [mesh-128]}\n");
  EXPECT_EQ(result.exitCode, 0) << result.errors << result.output;
  writeText(scratch / "wrong.yaml", flow + "emulatoin: {}\n");
  EXPECT_THAT(errorOf("flow: wrong.yaml\nvary: {emulation.steps: [8]}\n"),
              HasSubstr("unknown key 'emulatoin'"));
}

/// Chips that the sweep wrote, and records of points, are made anew where they are damaged.
TEST_F(Explore, DamagedChipsAndRecordsAreMadeAnew) {
  std::string grid = "flow: configs/flows/digits-mlp.yaml\n" + kSmall +
                     "vary: {chip.crossbar.columns: [64, 128]}\n";
  ASSERT_EQ(explore(grid).exitCode, 0);
  auto points = finished();
  std::string columns = "columns: 64";
  for (const auto &chip : fs::directory_iterator(out + "/chips"))
    if (std::string text = readText(chip.path().string()); text.find(columns) != std::string::npos)
      writeText(chip.path().string(),
                text.replace(text.find(columns), columns.size(), "columns: 32"));
    else
      writeText(chip.path().string(), text.substr(0, 30));
  for (const auto &[file, finish] : points) {
    fs::remove(file);
    std::string record = (fs::path(file).parent_path() / "run.json").string();
    writeText(record, readText(record).substr(0, 50));
  }
  ToolResult again = explore(grid);
  EXPECT_EQ(again.exitCode, 0) << again.errors << again.output;
  for (const auto &[file, finish] : finished())
    EXPECT_EQ(finish.second, points[file].second) << file;
}

TEST_F(Explore, AFolderIsForOneFlow) {
  ASSERT_EQ(
      explore("flow: configs/flows/digits-mlp.yaml\n" + kSmall + "vary: {emulation.steps: [4]}\n")
          .exitCode,
      0);
  auto before = tables();
  writeText(scratch / "other.yaml",
            readText("configs/flows/digits-mlp.yaml") + "analysis: {packet_bits: 16}\n");
  EXPECT_EQ(errorOf("flow: other.yaml\n" + kSmall + "vary: {emulation.steps: [8]}\n"),
            out + ": error: holds points of another flow, configs/flows/digits-mlp.yaml: "
                  "analysis.packet_bits (not given, now 16); choose another folder with --out\n");
  EXPECT_EQ(tables(), before);
  ToolResult result = runTool("collect '" + scratch.path + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors, scratch.path + ": error: holds no exploration; spindle explore "
                                          "SWEEP.yaml --out makes one\n");
}

/// The command of a point ends where the sweep does, and a folder keeps to one end.
TEST_F(Explore, TheLastStageIsOfTheFolder) {
  std::string sweep = "flow: configs/flows/digits-mlp.yaml\n" + kSmall +
                      "vary: {emulation.steps: [4]}\nobjectives: {snn.accuracy: max}\n";
  ASSERT_EQ(explore(sweep + "until: emulate\n").exitCode, 0);
  EXPECT_THAT(tables()[0], HasSubstr("--set emulation.threads=1 --until emulate\n"));
  EXPECT_EQ(errorOf(sweep),
            out + ": error: holds points with until: emulate, not all stages; choose another "
                  "folder with --out\n");
}

} // namespace
} // namespace spindle::test
