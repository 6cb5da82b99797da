// `spindle analyze GRAPH.xml`: a data-flow graph of others instead of that of a flow.
#include "tools/spindle/Commands.h"

#include "core/chip/sdf/SdfGraph.h"
#include "core/support/files/FolderLock.h"
#include "lib/sdf/Analyze.h"
#include "lib/sdf/StorageFront.h"
#include "lib/sdf/bound/BindingFile.h"
#include "tools/spindle/flow/ProgressDisplay.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

namespace {
struct GraphOptions {
  SdfOptions analysis;
  BindingOptions binding;
};
} // namespace

/// What the sections `analysis`, and with an architecture `binding`, of a flow would say.
static llvm::Expected<GraphOptions> optionsOf(const GraphArguments &arguments) {
  SPINDLE_ASSIGN(YamlDocument document, YamlDocument::parse("", arguments.file));
  for (const std::string &assignment : arguments.overrides)
    SPINDLE_RETURN_IF_ERROR(document.override(assignment));
  YamlReader reader(document);
  GraphOptions options;
  YamlReader section = reader.section("analysis");
  readSdfOptions(section, options.analysis);
  if (!arguments.architecture.empty()) {
    YamlReader binding = reader.section("binding");
    readBindingOptions(binding, options.binding);
  }
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

/// Errors of libraries name the graph; here the file, too.
static llvm::Error inFile(const std::string &file, llvm::Error failed) {
  return llvm::handleErrors(std::move(failed), [&](std::unique_ptr<SpindleError> error) {
    if (!llvm::StringRef(error->place).starts_with(file))
      error->place = file + ": " + error->place;
    return llvm::Error(std::move(error));
  });
}

namespace {
struct OnTiles {
  SdfApplication application;
  SdfArchitecture architecture;
  BindingAnalysis analysis;
};
} // namespace

static llvm::Expected<OnTiles> bind(const GraphArguments &arguments, const GraphOptions &options) {
  OnTiles result;
  SPINDLE_ASSIGN(result.application, readSdf3Application(arguments.file));
  SPINDLE_ASSIGN(result.architecture, readSdf3Architecture(arguments.architecture));
  if (arguments.binding.empty()) {
    SPINDLE_ASSIGN(result.analysis,
                   findBinding(arguments.architecture, result.application, result.architecture,
                               options.analysis, options.binding));
  } else {
    SPINDLE_ASSIGN(TileBinding binding, readTileBinding(arguments.binding, result.application.graph,
                                                        result.architecture));
    SPINDLE_ASSIGN(result.analysis,
                   analyzeBinding(arguments.binding, result.application, result.architecture,
                                  binding, options.analysis, options.binding));
  }
  return result;
}

/// The period, and a line for each tile in use.
static std::string describeTiles(const OnTiles &on) {
  const BindingAnalysis &analysis = on.analysis;
  std::string text = fmt::format("\n          on tiles: period {}", analysis.period.value());
  if (analysis.candidates > 1)
    text += fmt::format(", the best of {} bindings", analysis.candidates);
  constexpr size_t kMost = 16; // firings that a line lists
  for (size_t t = 0; t < on.architecture.tiles.size(); ++t) {
    const std::vector<ActorId> &order = analysis.binding.orders[t];
    if (order.empty())
      continue;
    text += "\n          " + on.architecture.tiles[t].name;
    if (uint64_t wheel = on.architecture.tiles[t].wheel)
      text += fmt::format(" ({} of {})", analysis.binding.slices[t], wheel);
    text += ":";
    for (size_t entry = 0; entry < std::min(order.size(), kMost); ++entry)
      text += " " + on.application.graph.actors[order[entry]].name;
    if (order.size() > kMost)
      text += fmt::format(" and {} more firings", order.size() - kMost);
  }
  return text;
}

llvm::Error analyzeGraph(const GraphArguments &arguments, const std::string &folder) {
  const std::string &file = arguments.file;
  SPINDLE_ASSIGN(GraphOptions options, optionsOf(arguments));
  SPINDLE_ASSIGN(SdfGraph graph, readSdfGraph(file));
  ProgressDisplay progress;
  progress.startStage("analyze");
  llvm::Expected<SdfAnalysis> analysis = analyze(graph, options.analysis);
  if (!analysis)
    return inFile(file, analysis.takeError());
  StorageFront front;
  if (arguments.withStorage) {
    llvm::Expected<StorageFront> found = storageFront(graph, options.analysis, kMostDistributions);
    if (!found)
      return inFile(file, found.takeError());
    front = std::move(*found);
  }
  std::optional<OnTiles> onTiles;
  if (!arguments.architecture.empty()) {
    llvm::Expected<OnTiles> bound = bind(arguments, options);
    if (!bound)
      return bound.takeError();
    onTiles = std::move(*bound);
  }
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  SPINDLE_RETURN_IF_ERROR(writeSdfGraph(folder + "/60-sdf.json", graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfDot(folder + "/60-sdf.dot", graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfAnalysis(folder + "/60-sdf-analysis.json", graph, *analysis));
  if (arguments.withStorage)
    SPINDLE_RETURN_IF_ERROR(writeStorageFront(folder + "/60-sdf-storage.json", graph, front));
  if (onTiles)
    SPINDLE_RETURN_IF_ERROR(
        writeBinding(folder + "/60-sdf-binding.json",
                     toFile(onTiles->application, onTiles->architecture, onTiles->analysis)));
  std::vector<std::string> critical;
  for (ActorId actor : analysis->criticalCycle)
    critical.push_back(graph.actors[actor].name);
  progress.endStage(fmt::format("period {} time units, throughput {}, limited by {}{}{}",
                                analysis->period, analysis->throughput, fmt::join(critical, ", "),
                                arguments.withStorage ? describeFront(front) : "",
                                onTiles ? describeTiles(*onTiles) : ""));
  return llvm::Error::success();
}

} // namespace spindle
