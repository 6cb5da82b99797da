// The line of stages.
#include "tools/spindle/flow/Stage.h"
#include "core/run/StageFileNames.h"
#include "tools/spindle/Commands.h"

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
       {run::kAnnModule, run::kAnn},
       {Source::Model, Source::Dataset},
       {"model", "dataset"},
       runImport},
      {"convert",
       "ANN graph to spiking network",
       {run::kAnnModule},
       {run::kSnnModule, run::kConversion},
       {Source::Calibration},
       {"dataset", "dataset.calibration", "conversion", "emulation", "fixed_point",
        "hardware:as=auto"},
       runConvert},
      {"emulate",
       "spiking network on the data set: spikes, rates, intervals, accuracy by step",
       {run::kSnnModule},
       {run::kSpikes, run::kMembranes, run::kStatistics, run::kEmulation},
       {Source::Dataset},
       {"dataset", "conversion", "emulation", "hardware?"},
       runEmulate,
       nullptr,
       nullptr,
       {run::kConversion}},
      {"diagnose",
       "what each layer of the conversion costs; runs where the flow has a section diagnosis",
       {run::kAnnModule, run::kSnnModule, run::kConversion, run::kEmulation},
       {run::kDiagnosis},
       {Source::Dataset},
       {"dataset", "emulation", "diagnosis"},
       runDiagnose,
       "diagnosis",
       &Flow::hasDiagnosis},
      {"graph",
       "network and spikes to the graph of neurons and synapses",
       {run::kSnnModule, run::kSpikes},
       {run::kGraph},
       {},
       {},
       runGraph},
      {"partition",
       "neurons to crossbar-sized clusters; this and the stages after it run where there is a chip",
       {run::kGraph},
       {run::kClusters, run::kClusterArrays, run::kClusterPart},
       {Source::Chip, Source::Placement},
       {"chip", "partition", "placement"},
       runPartition,
       "chip",
       &Flow::hasChip,
       {run::kSpikes},
       [](const Flow &flow) {
         return flow.partition.objective == PartitionObjective::Time && flow.placement.empty();
       }},
      {"analyze",
       "clusters to a data-flow graph, and its throughput",
       {run::kClusters},
       {run::kSdfGraph, run::kSdfArrays, run::kSdfDot, run::kSdfAnalysis},
       {Source::Chip},
       {"chip", "analysis"},
       runAnalyze,
       "chip",
       &Flow::hasChip,
       {run::kSpikes}},
      {"map",
       "clusters to tiles and routes, and what a sample takes there",
       {run::kClusters},
       {run::kMapping, run::kPrediction},
       {Source::Chip, Source::Placement},
       {"chip", "analysis", "mapping", "placement"},
       runMap,
       "chip",
       &Flow::hasChip,
       {run::kSpikes, run::kGraph}},
      {"load",
       "clusters load after load onto a chip with fewer crossbars; runs with partition.multiplex",
       {run::kSpikes, run::kGraph, run::kClusters},
       {run::kLoads},
       {Source::Chip},
       {"chip", "mapping", "simulation"},
       runLoad,
       "chip and partition.multiplex",
       &Flow::hasLoads},
      {"hardware",
       "spiking network to a circuit; runs where the flow has a section hardware",
       {run::kSnnModule, run::kSpikes},
       {run::kHardware},
       {Source::Target},
       {"hardware"},
       runHardware,
       "hardware",
       &Flow::hasHardware,
       {run::kConversion},
       [](const Flow &flow) { return flow.hardware.picksKinds; }},
      {"simulate",
       "spikes on the mapped chip: latency, energy, load",
       {run::kSpikes, run::kClusters, run::kMapping},
       {run::kChip, run::kLapse, run::kPackets, run::kDelivered},
       {Source::Chip, Source::Circuits},
       {"chip", "simulation"},
       runSimulate,
       "chip",
       &Flow::hasChip,
       {run::kHardware},
       [](const Flow &flow) { return !flow.simulation.tiles.empty(); }},
      {"assess",
       "accuracy on the chip beside the ideal; runs where the flow has a section assessment",
       {run::kSnnModule, run::kEmulation, run::kGraph, run::kClusters, run::kMapping},
       {run::kAssessment},
       {Source::Dataset, Source::Chip},
       {"dataset", "emulation", "chip", "simulation", "assessment"},
       runAssess,
       "assessment",
       &Flow::hasAssessment},
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
