// `spindle analyze GRAPH.xml`: a data-flow graph of others instead of that of a flow.
#include "tools/spindle/Commands.h"

#include "core/chip/sdf/SdfGraph.h"
#include "core/support/files/FolderLock.h"
#include "lib/sdf/Analyze.h"
#include "lib/sdf/StorageFront.h"
#include "tools/spindle/flow/ProgressDisplay.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

/// What the section `analysis` of a flow would say.
static llvm::Expected<SdfOptions> optionsOf(const std::string &file,
                                            const std::vector<std::string> &overrides) {
  SPINDLE_ASSIGN(YamlDocument document, YamlDocument::parse("", file));
  for (const std::string &assignment : overrides)
    SPINDLE_RETURN_IF_ERROR(document.override(assignment));
  YamlReader reader(document);
  SdfOptions options;
  YamlReader section = reader.section("analysis");
  readSdfOptions(section, options);
  SPINDLE_RETURN_IF_ERROR(reader.finish());
  return options;
}

/// Distributions of buffers that are tried at most: a few seconds for graphs of textbooks.
static constexpr uint64_t kMostDistributions = 100'000;

/// One line for each point.
static std::string describeFront(const StorageFront &front) {
  std::string lines;
  for (const StoragePoint &point : front.points)
    lines += fmt::format("\n          {} tokens: period {}", point.tokens, point.period.value());
  if (!front.isComplete)
    lines += fmt::format("\n          and no more after {} distributions", front.distributions);
  return lines;
}

llvm::Error analyzeGraph(const std::string &file, const std::string &folder,
                         const std::vector<std::string> &overrides, bool withStorage) {
  SPINDLE_ASSIGN(SdfOptions options, optionsOf(file, overrides));
  SPINDLE_ASSIGN(SdfGraph graph, readSdfGraph(file));
  ProgressDisplay progress;
  progress.startStage("analyze");
  llvm::Expected<SdfAnalysis> analysis = analyze(graph, options);
  if (!analysis)
    return llvm::handleErrors(analysis.takeError(), [&](std::unique_ptr<SpindleError> error) {
      error->place = file + ": " + error->place;
      return llvm::Error(std::move(error));
    });
  StorageFront front;
  if (withStorage) {
    SPINDLE_ASSIGN(front, storageFront(graph, options, kMostDistributions));
  }
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  SPINDLE_RETURN_IF_ERROR(writeSdfGraph(folder + "/60-sdf.json", graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfDot(folder + "/60-sdf.dot", graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfAnalysis(folder + "/60-sdf-analysis.json", graph, *analysis));
  if (withStorage)
    SPINDLE_RETURN_IF_ERROR(writeStorageFront(folder + "/60-sdf-storage.json", graph, front));
  std::vector<std::string> critical;
  for (ActorId actor : analysis->criticalCycle)
    critical.push_back(graph.actors[actor].name);
  progress.endStage(fmt::format("period {} time units, throughput {}, limited by {}{}",
                                analysis->period, analysis->throughput, fmt::join(critical, ", "),
                                withStorage ? describeFront(front) : ""));
  return llvm::Error::success();
}

} // namespace spindle
