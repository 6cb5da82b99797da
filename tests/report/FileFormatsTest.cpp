// The pages of docs/FileFormats.md: complete, and their examples are files that our readers take.
#include "core/kernel/BusInterface.h"
#include "core/kernel/CosimResult.h"
#include "core/kernel/KernelArea.h"
#include "core/kernel/KernelInterface.h"
#include "core/kernel/KernelSchedule.h"
#include "core/kernel/TaskGraph.h"
#include "core/run/Exploration.h"
#include "core/run/RunRecord.h"
#include "core/support/files/File.h"
#include "core/support/formats/Yaml.h"
#include "hw/hls/schedule/problem/ProblemFile.h"
#include "lib/report/StageFiles.h"
#include "lib/sdf/StorageFront.h"
#include "lib/sdf/bound/BindingFile.h"
#include "tests/report/JsonSchema.h"

#include "gmock/gmock.h"

#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

using namespace spindle;
using ::testing::IsSupersetOf;

namespace {

constexpr const char *indexPath = "docs/FileFormats.md";
constexpr const char *pagesFolder = "docs/formats";

struct Example {
  std::string place, language, text;
};

/// The fenced blocks of a page.
std::vector<Example> examplesOf(const std::string &path, const std::string &page) {
  std::vector<Example> examples;
  std::istringstream lines(page);
  std::string line;
  bool inside = false;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.rfind("```", 0) == 0) {
      inside = !inside;
      if (inside)
        examples.push_back({path + ":" + std::to_string(number), line.substr(3), ""});
    } else if (inside) {
      examples.back().text += line + "\n";
    }
  }
  EXPECT_FALSE(inside) << path << ": a fenced block is not closed";
  return examples;
}

std::vector<std::string> pages() {
  std::vector<std::string> paths{indexPath};
  for (const auto &entry : std::filesystem::directory_iterator(pagesFolder))
    paths.push_back(entry.path().generic_string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Example> allExamples() {
  std::vector<Example> examples;
  for (const std::string &path : pages())
    for (Example &example : examplesOf(path, llvm::cantFail(readFile(path))))
      examples.push_back(std::move(example));
  return examples;
}

template <typename Noun> std::string errorOf(llvm::Expected<Noun> noun) {
  return noun ? "" : toText(noun.takeError());
}

/// The scheduling problem of the pages, for the schedules there.
hls::Problem documentedProblem() {
  std::string path = ::testing::TempDir() + "problem.json";
  for (const Example &example : allExamples())
    if (example.text.find("\"spindle-schedule-problem\"") != std::string::npos)
      llvm::cantFail(writeFile(path, example.text));
  hls::Problem problem = llvm::cantFail(hls::readProblem(path));
  std::filesystem::remove(path);
  return problem;
}

/// What the reader of its format says about a file; empty when it takes it.
std::string readerError(const std::string &format, const std::string &path) {
  using Reader = std::function<std::string(const std::string &)>;
  static const std::map<std::string, Reader> readers = {
      {"spindle-ann", [](const std::string &p) { return errorOf(readAnnEvaluation(p)); }},
      {"spindle-snn", [](const std::string &p) { return errorOf(readConversionSummary(p)); }},
      {"spindle-emulation", [](const std::string &p) { return errorOf(readEmulationSummary(p)); }},
      {"spindle-statistics", [](const std::string &p) { return errorOf(readSpikeStatistics(p)); }},
      {"spindle-diagnosis", [](const std::string &p) { return errorOf(readDiagnosis(p)); }},
      {"spindle-assessment", [](const std::string &p) { return errorOf(readAssessment(p)); }},
      {"spindle-clusters", [](const std::string &p) { return errorOf(readClustering(p)); }},
      {"spindle-sdf-graph", [](const std::string &p) { return errorOf(readSdfGraph(p)); }},
      {"spindle-sdf-analysis", [](const std::string &p) { return errorOf(readSdfAnalysis(p)); }},
      {"spindle-sdf-storage", [](const std::string &p) { return errorOf(readStorageFront(p)); }},
      {"spindle-sdf-binding", [](const std::string &p) { return errorOf(readBinding(p)); }},
      {"spindle-hardware", [](const std::string &p) { return errorOf(readHardwareNetwork(p)); }},
      {"spindle-axi", [](const std::string &p) { return errorOf(hls::readBusInterface(p)); }},
      {"spindle-cosim", [](const std::string &p) { return errorOf(hls::readCosimResult(p)); }},
      {"spindle-kernel", [](const std::string &p) { return errorOf(hls::readKernelInterface(p)); }},
      {"spindle-kernel-area", [](const std::string &p) { return errorOf(hls::readKernelArea(p)); }},
      {"spindle-kernel-schedule",
       [](const std::string &p) { return errorOf(hls::readKernelSchedule(p)); }},
      {"spindle-system", [](const std::string &p) { return errorOf(hls::readTaskGraph(p)); }},
      {"spindle-mapping", [](const std::string &p) { return errorOf(readMapping(p)); }},
      {"spindle-prediction", [](const std::string &p) { return errorOf(readPrediction(p)); }},
      {"spindle-loads", [](const std::string &p) { return errorOf(readMultiplexedRun(p)); }},
      {"spindle-chip-stats", [](const std::string &p) { return errorOf(readChipStats(p)); }},
      {"spindle-time-lapse", [](const std::string &p) { return errorOf(readTimeLapse(p)); }},
      {"spindle-schedule-problem",
       [](const std::string &p) { return errorOf(hls::readProblem(p)); }},
      {"spindle-schedule",
       [](const std::string &p) { return errorOf(hls::readSchedule(p, documentedProblem())); }},
      {"spindle-point", [](const std::string &p) { return errorOf(readExploredPoint(p)); }},
      {"spindle-exploration", [](const std::string &p) { return errorOf(readExploration(p)); }},
      {"spindle-run", [](const std::string &p) { return errorOf(readRunRecord(p)); }},
      {"spindle-report", [](const std::string &p) {
         std::string text;
         Json schema = llvm::cantFail(readJson("docs/report.schema.json"));
         for (const std::string &problem : schemaProblems(schema, llvm::cantFail(readJson(p))))
           text += problem + "\n";
         return text;
       }}};
  auto reader = readers.find(format);
  return reader == readers.end() ? "no reader is listed for " + format : reader->second(path);
}

TEST(FileFormats, TheIndexLinksEveryPageAndEveryLinkLeadsSomewhere) {
  std::string index = llvm::cantFail(readFile(indexPath));
  std::vector<std::string> linked;
  std::regex link("\\]\\((formats/[^)]+)\\)");
  for (std::sregex_iterator it(index.begin(), index.end(), link), end; it != end; ++it) {
    linked.push_back("docs/" + (*it)[1].str());
    EXPECT_TRUE(std::filesystem::exists(linked.back())) << linked.back();
  }
  linked.push_back(indexPath);
  EXPECT_THAT(linked, IsSupersetOf(pages()));
}

TEST(FileFormats, JsonExamplesAreFilesOfTheirFormat) {
  std::string path = ::testing::TempDir() + "example.json";
  size_t count = 0;
  for (const Example &example : allExamples()) {
    if (example.language != "json")
      continue;
    ++count;
    llvm::cantFail(writeFile(path, example.text));
    llvm::Expected<Json> json = readJson(path);
    ASSERT_TRUE(bool(json)) << example.place << ": " << toText(json.takeError());
    if (!json->contains("format"))
      continue;
    EXPECT_EQ(readerError((*json)["format"], path), "") << example.place;
  }
  EXPECT_GE(count, 4u);
  std::filesystem::remove(path);
}

TEST(FileFormats, YamlExamplesParseAndChipsAreChips) {
  std::string path = ::testing::TempDir() + "example.yaml";
  for (const Example &example : allExamples()) {
    if (example.language != "yaml")
      continue;
    llvm::Expected<YamlDocument> document = YamlDocument::parse(example.text, example.place);
    ASSERT_TRUE(bool(document)) << toText(document.takeError());
    YAML::Node format = document->root()["format"];
    if (!format.IsDefined() || format.Scalar() != "spindle-chip")
      continue;
    llvm::cantFail(writeFile(path, example.text));
    EXPECT_EQ(errorOf(readChip(path)), "") << example.place;
    std::filesystem::remove(path);
  }
}

} // namespace
