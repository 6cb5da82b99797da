// The numbers of a report, one section per stage.
#pragma once

#include "lib/report/StageFiles.h"
#include "lib/support/Json.h"

namespace spindle {

/// Above this mean spike rate an equally quantised ANN spends less energy: 5.7 % at T = 5, Yan,
/// Bai, Tang and Wong, "Reconsidering the energy efficiency of spiking neural networks inference
/// from analytical perspectives", arXiv 2409.08290v4, 2026.
inline constexpr double kBreakEvenSpikeRate = 0.057;

Json annSection(const AnnEvaluation &ann);
Json conversionSection(const ConversionSummary &conversion);
Json snnSection(const EmulationSummary &snn, const std::optional<AnnEvaluation> &ann);
Json timingSection(const EmulationSummary &snn);
Json graphSection(const SpikingGraph &graph);
Json partitionSection(const Clustering &clusters);
/// Names of actors come from the graph, seconds from the clock of the chip.
Json sdfSection(const SdfAnalysis &sdf, const std::optional<SdfGraph> &graph,
                const std::optional<ChipStats> &chip);
Json mappingSection(const Mapping &mapping);
Json chipSection(const ChipStats &chip);

} // namespace spindle
