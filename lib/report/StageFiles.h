// The files that the stages of one run have left in a folder.
#pragma once

#include "lib/core/ChipStats.h"
#include "lib/core/Clustering.h"
#include "lib/core/Diagnosis.h"
#include "lib/core/Evaluation.h"
#include "lib/core/Mapping.h"
#include "lib/core/RunRecord.h"
#include "lib/core/SdfAnalysis.h"
#include "lib/core/SpikeStatistics.h"
#include "lib/core/SpikeTrace.h"
#include "lib/core/SpikingGraph.h"

#include <optional>

namespace spindle {

/// File names within the folder of a run.
namespace stage_file {
inline constexpr const char *kAnn = "10-ann.json";
inline constexpr const char *kConversion = "20-snn.json";
inline constexpr const char *kEmulation = "30-emulation.json";
inline constexpr const char *kSpikes = "30-spikes.h5";
inline constexpr const char *kStatistics = "30-statistics.json";
inline constexpr const char *kDiagnosis = "35-diagnosis.json";
inline constexpr const char *kGraph = "40-graph.h5";
inline constexpr const char *kClusters = "50-clusters.json";
inline constexpr const char *kSdfGraph = "60-sdf.json";
inline constexpr const char *kSdfAnalysis = "60-sdf-analysis.json";
inline constexpr const char *kMapping = "70-mapping.json";
inline constexpr const char *kChip = "80-chip.json";
} // namespace stage_file

/// What there is of a run; a stage that was not reached is absent.
struct StageFiles {
  std::vector<std::string> present;  // file names, ascending
  std::vector<std::string> outdated; // there, but older than what they were made from: not read
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
  std::optional<ChipStats> chip;
};

/// Reads every stage file of `folder` that `run.json`, where there is one, does not tell to be
/// outdated. Errors: none is there, one is damaged, or two do not belong to the same run.
llvm::Expected<StageFiles> readStageFiles(const std::string &folder);

/// Whether some stage left figures for a report.
bool hasFigures(const std::string &folder);

} // namespace spindle
