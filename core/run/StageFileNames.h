// The files that stages leave in the folder of a run (docs/FileFormats.md).
#pragma once

namespace spindle::run {

inline constexpr const char *kAnnModule = "10-ann.mlir";
inline constexpr const char *kAnn = "10-ann.json";
inline constexpr const char *kSnnModule = "20-snn.mlir";
inline constexpr const char *kConversion = "20-snn.json";
inline constexpr const char *kEmulation = "30-emulation.json";
inline constexpr const char *kSpikes = "30-spikes.h5";
inline constexpr const char *kMembranes = "30-membranes.h5";
inline constexpr const char *kStatistics = "30-statistics.json";
inline constexpr const char *kDiagnosis = "35-diagnosis.json";
inline constexpr const char *kGraph = "40-graph.h5";
inline constexpr const char *kClusters = "50-clusters.json";
inline constexpr const char *kClusterArrays = "50-clusters.h5";
inline constexpr const char *kClusterPart = "50-clusters.part";
inline constexpr const char *kSdfGraph = "60-sdf.json";
inline constexpr const char *kSdfArrays = "60-sdf.h5";
inline constexpr const char *kSdfDot = "60-sdf.dot";
inline constexpr const char *kSdfAnalysis = "60-sdf-analysis.json";
inline constexpr const char *kMapping = "70-mapping.json";
inline constexpr const char *kPrediction = "70-prediction.json";
inline constexpr const char *kLoads = "75-loads.json";
inline constexpr const char *kChip = "80-chip.json";
inline constexpr const char *kLapse = "80-lapse.json";
inline constexpr const char *kPackets = "80-packets.csv";
inline constexpr const char *kDelivered = "80-delivered.csv";
inline constexpr const char *kAssessment = "85-assessment.json";
inline constexpr const char *kHardware = "90-hardware/hardware.json"; // and all beside it

} // namespace spindle::run
