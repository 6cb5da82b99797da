// The files that the stages of one run have left in a folder.
#pragma once

#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/chip/Prediction.h"
#include "core/chip/assessment/Assessment.h"
#include "core/chip/lapse/TimeLapse.h"
#include "core/chip/loads/MultiplexedRun.h"
#include "core/chip/sdf/SdfAnalysis.h"
#include "core/network/Diagnosis.h"
#include "core/network/Evaluation.h"
#include "core/network/HardwareNetwork.h"
#include "core/network/SpikeStatistics.h"
#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/run/RunRecord.h"
#include "core/run/StageFileNames.h"
#include "lib/report/circuit/CircuitFiles.h"

#include <optional>

namespace spindle {

/// What there is of a run; a stage that was not reached is absent.
struct StageFiles {
  std::vector<std::string> present;  // file names, ascending
  std::vector<std::string> outdated; // there, but of another run than the rest: not read
  std::optional<RunRecord::Failure> failure; // that ended the run
  std::optional<AnnEvaluation> ann;
  std::optional<ConversionSummary> conversion;
  std::optional<EmulationSummary> emulation;
  std::optional<SpikeTrace> spikes;
  std::optional<SpikeStatistics> statistics;
  std::optional<Diagnosis> diagnosis;
  std::optional<SpikingGraph> graph;
  std::optional<Clustering> clusters;
  std::optional<SdfGraph> sdfGraph;
  std::optional<SdfAnalysis> sdfAnalysis;
  std::optional<Mapping> mapping;
  std::optional<Prediction> prediction;
  std::optional<MultiplexedRun> loads;
  std::optional<ChipStats> chip;
  std::optional<TimeLapse> lapse;
  std::optional<Assessment> assessment;
  std::optional<HardwareNetwork> hardware;
  CircuitFiles circuit;               // of `hardware`
  std::optional<Int8Ann> int8Ann;     // beside it
  std::string flow;                   // of the run, as its command named it; empty where unknown
  std::vector<std::string> overrides; // likewise, of its `--set`
};

/// Reads every stage file of `folder` that `run.json`, where there is one, does not tell to be
/// outdated. Errors: none is there, one is damaged, or two do not belong to the same run.
llvm::Expected<StageFiles> readStageFiles(const std::string &folder);

/// Whether some stage left figures for a report.
bool hasFigures(const std::string &folder);

} // namespace spindle
