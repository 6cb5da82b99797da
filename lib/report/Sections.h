// The numbers of a report, one section per stage.
#pragma once

#include "core/support/formats/Json.h"
#include "lib/report/StageFiles.h"

namespace spindle {

Json annSection(const AnnEvaluation &ann);
Json conversionSection(const ConversionSummary &conversion);
Json snnSection(const EmulationSummary &snn, const std::optional<AnnEvaluation> &ann);
/// Rates over all samples, intervals over the recorded ones.
Json statisticsSection(const SpikeStatistics &statistics);
/// Contributions of layers, and what they are of: the loss on the diagnosed samples.
Json diagnosisSection(const Diagnosis &diagnosis);
Json timingSection(const EmulationSummary &snn);
Json graphSection(const SpikingGraph &graph);
Json partitionSection(const Clustering &clusters);
/// Names of actors come from the graph, seconds from the clock of the chip.
Json sdfSection(const SdfAnalysis &sdf, const std::optional<SdfGraph> &graph,
                const std::optional<ChipStats> &chip);
/// With what was predicted for it, where that is there.
Json mappingSection(const Mapping &mapping, const std::optional<Prediction> &prediction);
/// Cycles, packets and energy of each load in turn, of all together, and of the same at once.
Json loadsSection(const MultiplexedRun &run);
Json chipSection(const ChipStats &chip);
/// Accuracy of each step time, with what was late in each layer; and the knee.
Json assessmentSection(const Assessment &assessment);

} // namespace spindle
