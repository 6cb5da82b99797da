// The line of stages.
#include "tools/spindle/Stage.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

Progress StageRun::counting(const char *unit) const {
  progress.setUnit(unit);
  return [this](uint64_t done, uint64_t total) { progress.update(done, total); };
}

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
       {Source::Model, Source::Dataset},
       {"model", "dataset"},
       runImport},
      {"convert",
       "ANN graph to spiking network",
       {"10-ann.mlir"},
       {"20-snn.mlir", "20-snn.json"},
       {Source::Calibration},
       {"dataset", "dataset.calibration", "conversion", "emulation", "fixed_point"},
       runConvert},
      {"emulate",
       "spiking network on the data set: spikes, rates, intervals, accuracy by step",
       {"20-snn.mlir"},
       {"30-spikes.h5", "30-membranes.h5", "30-statistics.json", "30-emulation.json"},
       {Source::Dataset},
       {"dataset", "conversion", "emulation"},
       runEmulate,
       nullptr,
       nullptr,
       {"20-snn.json"}},
      {"diagnose",
       "what each layer of the conversion costs; runs where the flow has a section diagnosis",
       {"10-ann.mlir", "20-snn.mlir", "20-snn.json", "30-emulation.json"},
       {"35-diagnosis.json"},
       {Source::Dataset},
       {"dataset", "emulation", "diagnosis"},
       runDiagnose,
       "diagnosis",
       &Flow::hasDiagnosis},
      {"graph",
       "network and spikes to the graph of neurons and synapses",
       {"20-snn.mlir", "30-spikes.h5"},
       {"40-graph.h5"},
       {},
       {},
       runGraph},
      {"partition",
       "neurons to crossbar-sized clusters; this and the stages after it run where there is a chip",
       {"40-graph.h5"},
       {"50-clusters.json", "50-clusters.part"},
       {Source::Chip},
       {"chip", "partition"},
       runPartition,
       "chip",
       &Flow::hasChip},
      {"analyze",
       "clusters to a data-flow graph, and its throughput",
       {"50-clusters.json"},
       {"60-sdf.json", "60-sdf.dot", "60-sdf-analysis.json"},
       {Source::Chip},
       {"chip", "analysis"},
       runAnalyze,
       "chip",
       &Flow::hasChip},
      {"map",
       "clusters to tiles and routes",
       {"50-clusters.json"},
       {"70-mapping.json"},
       {Source::Chip},
       {"chip", "mapping"},
       runMap,
       "chip",
       &Flow::hasChip},
      {"simulate",
       "spikes on the mapped chip: latency, energy, load",
       {"30-spikes.h5", "50-clusters.json", "70-mapping.json"},
       {"80-chip.json"},
       {Source::Chip},
       {"chip", "simulation"},
       runSimulate,
       "chip",
       &Flow::hasChip},
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

bool isAsked(const Flow &flow, const Stage &stage) { return !stage.isAsked || flow.*stage.isAsked; }

} // namespace spindle
