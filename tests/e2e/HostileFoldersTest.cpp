// Result folders and files that somebody else has made or changed: one line, nothing lost, no
// crash.
#include "tests/e2e/Tool.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace spindle::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kFewSamples = "dataset.limit=40 dataset.calibration.limit=40 "
                                "emulation.record_samples=4 emulation.steps=4 emulation.threads=1";

std::string smallFlow() {
  std::string words = "configs/flows/digits-mlp.yaml", rest = kFewSamples + " ";
  for (size_t at; (at = rest.find(' ')) != std::string::npos; rest.erase(0, at + 1))
    words += " --set " + rest.substr(0, at);
  return words;
}

/// The one line that is no warning; the exit code is that of wrong inputs.
std::string errorOf(const std::string &arguments) {
  ToolResult result = runTool(arguments);
  EXPECT_EQ(result.exitCode, 1) << arguments << ": " << result.errors.substr(0, 300);
  std::string errors;
  std::istringstream lines(result.errors);
  for (std::string line; std::getline(lines, line);)
    if (line.find(" warning: ") == std::string::npos)
      errors += line + "\n";
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors.substr(0, 300);
  return errors;
}

TEST(HostileFolder, LinksInACircleAreNoFiles) {
  ScratchFolder scratch;
  std::string out = scratch / "out", run = "run " + smallFlow() + " --out '" + out + "'";
  ASSERT_EQ(runTool(run).exitCode, 0);
  for (const auto &[file, stage] :
       {std::pair("20-snn.mlir", "emulate"), std::pair("20-snn.json", "emulate"),
        std::pair("30-spikes.h5", "partition")}) {
    fs::path path = fs::path(out) / file, kept = scratch / "kept";
    fs::rename(path, kept);
    fs::create_symlink(file, path);
    EXPECT_THAT(errorOf(run + " --from " + stage), HasSubstr(file));
    fs::remove(path);
    fs::rename(kept, path);
  }
  EXPECT_EQ(runTool("report '" + out + "'").exitCode, 0);
}

TEST(HostileFolder, DeepFilesAreHashedAsTheyAre) {
  ScratchFolder scratch;
  std::string out = scratch / "out", run = "run " + smallFlow() + " --out '" + out + "'";
  ASSERT_EQ(runTool(run).exitCode, 0);
  constexpr size_t depth = 200'000;
  writeText(out + "/30-emulation.json",
            "{\"timing\":" + std::string(depth, '[') + std::string(depth, ']') + "}");
  EXPECT_EQ(runTool(run).exitCode, 0); // made anew
  EXPECT_LT(fs::file_size(out + "/30-emulation.json"), depth);
}

TEST(HostileFolder, KeysOfAnyLengthAreRefused) {
  ScratchFolder scratch;
  std::string key = "a";
  for (int word = 0; word < 30'000; ++word)
    key += ".a";
  writeText(scratch / "sweep.yaml",
            "flow: configs/flows/digits-mlp.yaml\nvary: {? chip." + key + " : [1]}\n");
  EXPECT_THAT(errorOf("explore '" + scratch / "sweep.yaml" + "' --out '" + scratch / "out" + "'"),
              EndsWith("a key of 30001 words, expected at most 64\n"));
  EXPECT_THAT(errorOf("run " + smallFlow() + " --set " + key + "=1 --out '" + scratch / "o" + "'"),
              EndsWith("a key of 30001 words, expected at most 64\n"));
}

TEST(HostileFolder, AFailedImportKeepsTheOneBefore) {
  ScratchFolder scratch;
  std::string architecture = readText("tests/fuzz/corpus/sanafe/architecture");
  std::string out = scratch / "out";
  writeText(scratch / "arch.yaml", architecture);
  std::string import = "sanafe import '" + scratch / "arch.yaml" + "' --out '" + out + "'";
  ASSERT_EQ(runTool(import).exitCode, 0);
  std::string chip = readText(out + "/chip.yaml");
  size_t at = architecture.find("111.0e-12"); // of a message
  ASSERT_NE(at, std::string::npos);
  architecture.replace(at, 9, "1.0e+300");
  writeText(scratch / "arch.yaml", architecture);
  EXPECT_THAT(errorOf(import),
              AllOf(HasSubstr("arch.yaml:"), HasSubstr("is 1e+300, expected at most 1000000000")));
  EXPECT_EQ(readText(out + "/chip.yaml"), chip);
  for (const auto &entry : fs::directory_iterator(out)) // nothing unfinished is left
    EXPECT_FALSE(entry.path().filename().string().starts_with(".spindle-unfinished")) << entry;
}

TEST(HostileFolder, PointsOfOthersAreMadeAnew) {
  ScratchFolder scratch;
  std::string out = scratch / "out";
  writeText(scratch / "sweep.yaml",
            "flow: configs/flows/digits-mlp.yaml\nuntil: emulate\nset: {dataset.limit: 40, "
            "dataset.calibration.limit: 40, emulation.record_samples: 4}\n"
            "vary: {emulation.steps: [4, 5]}\nobjectives: {snn.accuracy: max}\n");
  std::string explore = "explore '" + scratch / "sweep.yaml" + "' --out '" + out + "'";
  ASSERT_EQ(runTool(explore).exitCode, 0) << runTool(explore).errors;
  std::string table = readText(out + "/points.csv");
  std::vector<std::string> points;
  for (const auto &entry : fs::directory_iterator(out + "/points"))
    points.push_back(entry.path().string() + "/point.json");
  ASSERT_EQ(points.size(), 2u);
  fs::copy_file(points[0], points[1], fs::copy_options::overwrite_existing);
  EXPECT_THAT(errorOf("collect '" + out + "'"),
              AllOf(StartsWith(points[1]), HasSubstr(", as its folder is named; spindle explore "
                                                     "makes it again")));
  EXPECT_EQ(readText(out + "/points.csv"), table);
  fs::remove(points[1]);
  fs::create_symlink("point.json", points[1]);
  EXPECT_THAT(errorOf("collect '" + out + "'"), StartsWith(points[1]));
  EXPECT_EQ(readText(out + "/points.csv"), table);
  fs::remove(points[1]);
  fs::copy_file(points[0], points[1]);
  EXPECT_EQ(runTool(explore).exitCode, 0);
  EXPECT_EQ(readText(out + "/points.csv"), table);
}

TEST(HostileFolder, CommandsAreQuoted) {
  ScratchFolder scratch;
  std::string out = scratch / "out";
  writeText(scratch / "sweep.yaml",
            "flow: configs/flows/digits-mlp.yaml\nuntil: emulate\nset: {dataset.limit: 40, "
            "dataset.calibration.limit: 40, emulation.record_samples: 4}\n"
            "vary: {emulation.steps: [4]}\nobjectives: {snn.accuracy: max}\n");
  runTool("explore '" + scratch / "sweep.yaml" + "' --out '" + out + "'");
  std::string exploration = readText(out + "/exploration.json");
  size_t at = exploration.find("\"emulate\"");
  ASSERT_NE(at, std::string::npos) << exploration;
  writeText(out + "/exploration.json", exploration.replace(at, 9, "\"emulate; touch marked\""));
  runTool("collect '" + out + "'");
  EXPECT_THAT(readText(out + "/points.csv"), HasSubstr("--until 'emulate; touch marked'"));
}

TEST(HostileFolder, WhatIsNoFileIsNotWaitedFor) {
  ScratchFolder scratch;
  fs::create_directories(scratch / "images/c0");
  ASSERT_EQ(runShell("mkfifo '" + scratch / "images/c0/a.png" + "' '" + scratch / "cifar.tar" + "'")
                .exitCode,
            0);
  auto outcome = [&](const std::string &sets) {
    return errorOf("run configs/flows/digits-mlp.yaml " + sets + " --out '" + scratch / "out" +
                   "'");
  };
  EXPECT_THAT(outcome("--set 'dataset={format: images, images: " + scratch.path +
                      "/images, calibration: {images: none}}'"),
              HasSubstr("is no regular file, expected one"));
  EXPECT_THAT(outcome("--set 'dataset={format: cifar, images: batch, archive: " + scratch.path +
                      "/cifar.tar, calibration: {images: none}}'"),
              HasSubstr("is no regular file, expected one"));
}

} // namespace
} // namespace spindle::test
