// Which stages run, on which files, and what is left when one of them fails.
#include "tools/spindle/Stage.h"

#include "lib/report/Report.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <filesystem>
#include <set>

namespace spindle {

namespace fs = std::filesystem;

llvm::Error StageRun::need(bool present, const char *section) const {
  if (present)
    return llvm::Error::success();
  return inputError(flow.path,
                    fmt::format("section '{}' is missing; this stage needs it", section));
}

llvm::ArrayRef<Stage> stages() {
  static const std::vector<Stage> table = {
      {"import",
       "model file to ANN graph, and its accuracy on the data set",
       {},
       {"10-ann.mlir", "10-ann.json"},
       runImport},
      {"convert",
       "ANN graph to spiking network",
       {"10-ann.mlir"},
       {"20-snn.mlir", "20-snn.json"},
       runConvert},
      {"emulate",
       "spiking network on the data set: spikes, rates, intervals, accuracy by step",
       {"20-snn.mlir"},
       {"30-spikes.h5", "30-membranes.h5", "30-statistics.json", "30-emulation.json"},
       runEmulate},
      {"diagnose",
       "what each layer of the conversion costs; runs where the flow has a section diagnosis",
       {"10-ann.mlir", "20-snn.mlir", "20-snn.json", "30-emulation.json"},
       {"35-diagnosis.json"},
       runDiagnose,
       "diagnosis",
       &Flow::hasDiagnosis},
      {"graph",
       "network and spikes to the graph of neurons and synapses",
       {"20-snn.mlir", "30-spikes.h5"},
       {"40-graph.h5"},
       runGraph},
      {"partition",
       "neurons to crossbar-sized clusters",
       {"40-graph.h5"},
       {"50-clusters.json", "50-clusters.part"},
       runPartition},
      {"analyze",
       "clusters to a data-flow graph, and its throughput",
       {"50-clusters.json"},
       {"60-sdf.json", "60-sdf.dot", "60-sdf-analysis.json"},
       runAnalyze},
      {"map", "clusters to tiles and routes", {"50-clusters.json"}, {"70-mapping.json"}, runMap},
      {"simulate",
       "spikes on the mapped chip: latency, energy, load",
       {"30-spikes.h5", "50-clusters.json", "70-mapping.json"},
       {"80-chip.json"},
       runSimulate},
  };
  return table;
}

llvm::Expected<size_t> findStage(const std::string &name) {
  std::vector<std::string> names;
  for (auto [index, stage] : llvm::enumerate(stages())) {
    if (name == stage.name)
      return index;
    names.push_back(stage.name);
  }
  return inputError(
      "", fmt::format("unknown stage '{}', expected one of {}", name, fmt::join(names, ", ")));
}

/// What the stages of a run make anew, what any stage made of it, and the report over it all.
static void removeOutputs(const std::string &folder, size_t first, size_t last) {
  std::error_code ignored;
  std::set<std::string> removed;
  for (auto [index, stage] : llvm::enumerate(stages())) {
    bool isStale = llvm::any_of(stage.inputs, [&](const char *in) { return removed.count(in); });
    if (!isStale && (index < first || index > last))
      continue;
    removed.insert(stage.outputs.begin(), stage.outputs.end());
  }
  removed.insert({"report.json", "report.html"});
  for (const std::string &file : removed)
    fs::remove(folder + "/" + file, ignored);
}

static llvm::Error checkInputs(const Stage &stage, const std::string &folder) {
  for (const char *input : stage.inputs) {
    if (fs::exists(folder + "/" + input))
      continue;
    const char *writer = "";
    for (const Stage &other : stages())
      if (llvm::is_contained(other.outputs, llvm::StringRef(input)))
        writer = other.name;
    return inputError(folder + "/" + input,
                      fmt::format("the stage {} reads this file and it is not there; run from an "
                                  "earlier stage: --from {}",
                                  stage.name, writer));
  }
  return llvm::Error::success();
}

static bool isAsked(const Flow &flow, const Stage &stage) {
  return !stage.isAsked || flow.*stage.isAsked;
}

/// What a later stage would refuse is refused before the first one works.
static llvm::Error checkFlow(const Flow &flow, llvm::ArrayRef<Stage> wanted) {
  for (const Stage *stage : {&wanted.front(), &wanted.back()})
    if (!isAsked(flow, *stage))
      return inputError(flow.path, fmt::format("section '{}' is missing; the stage {} needs it",
                                               stage->section, stage->name));
  for (const Stage &stage : wanted) {
    bool spikesAlready = flow.model.spikesAlready();
    if (stage.run == runConvert && flow.hasDataset && !spikesAlready)
      SPINDLE_RETURN_IF_ERROR(checkCalibration(flow.dataset));
    if (stage.run == runConvert && flow.emulation.durationMs && !spikesAlready)
      return inputError(flow.path, "emulation.duration is for spiking models; a conversion is made "
                                   "for emulation.steps");
    if (stage.run == runPartition && flow.hasChip) {
      llvm::Expected<Chip> chip = readChip(flow.chip);
      if (!chip)
        return chip.takeError();
    }
  }
  return llvm::Error::success();
}

/// Whether some stage left figures for a report.
static bool hasFigures(const std::string &folder) {
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json" && entry.path().filename() != "report.json")
      return true;
  return false;
}

llvm::Error runStages(const Flow &flow, const std::string &folder, size_t first, size_t last,
                      ProgressDisplay &progress, Ranks &ranks) {
  llvm::ArrayRef<Stage> wanted = stages().slice(first, last - first + 1);
  SPINDLE_RETURN_IF_ERROR(checkFlow(flow, wanted));
  std::error_code status;
  fs::create_directories(folder, status);
  if (status)
    return inputError(folder, "cannot make this folder: " + status.message());
  SPINDLE_RETURN_IF_ERROR(checkInputs(stages()[first], folder));
  removeOutputs(folder, first, last);

  for (const Stage &stage : wanted) {
    if (!isAsked(flow, stage))
      continue;
    SPINDLE_RETURN_IF_ERROR(checkInputs(stage, folder));
    progress.startStage(stage.name);
    SPINDLE_ASSIGN(std::string result, stage.run({flow, folder, progress, ranks}));
    progress.endStage(result);
  }
  if (!hasFigures(folder)) // a spiking model that was only imported
    return llvm::Error::success();
  progress.startStage("report");
  SPINDLE_RETURN_IF_ERROR(writeReport(folder));
  progress.endStage(folder + "/report.json, " + folder + "/report.html");
  return llvm::Error::success();
}

} // namespace spindle
