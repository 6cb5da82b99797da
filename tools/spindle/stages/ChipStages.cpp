// The stages from the spiking graph to the chip: partition, analyze, map, simulate.
#include "tools/spindle/flow/Stage.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/run/StageFileNames.h"
#include "lib/mapping/Map.h"
#include "lib/partition/Partition.h"
#include "lib/sdf/Analyze.h"
#include "lib/sdf/BuildSdf.h"

#include "fmt/format.h"

namespace spindle {

static llvm::Expected<Chip> chipOf(const StageRun &run) {
  if (!run.flow.hasChip)
    return inputError(run.flow.path, "key 'chip' is missing; this stage needs a chip file");
  return readChip(run.flow.chip);
}

llvm::Expected<std::string> runPartition(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(run.file(stage_file::kGraph)));
  SPINDLE_ASSIGN(Clustering clustering, partition(graph, chip, run.flow.partition));
  SPINDLE_RETURN_IF_ERROR(writeClustering(run.output(stage_file::kClusters), clustering));
  SPINDLE_RETURN_IF_ERROR(writePart(run.output(stage_file::kClusterPart), clustering));
  return fmt::format("{} clusters for {} columns, {} cut spikes ({})", clustering.clusters.size(),
                     clustering.units.size(), clustering.cutSpikes, clustering.algorithm);
}

llvm::Expected<std::string> runAnalyze(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(run.file(stage_file::kClusters)));
  SPINDLE_ASSIGN(SdfGraph graph, buildSdf(clustering, chip, run.flow.analysis));
  SPINDLE_ASSIGN(SdfAnalysis analysis, analyze(graph, run.flow.analysis));
  SPINDLE_RETURN_IF_ERROR(writeSdfGraph(run.output(stage_file::kSdfGraph), graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfDot(run.output(stage_file::kSdfDot), graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfAnalysis(run.output(stage_file::kSdfAnalysis), graph, analysis));
  return fmt::format("period {:.0f} cycles per sample, {:.1f} samples/s at {:g} MHz",
                     analysis.period, analysis.throughput * chip.clockMhz.value * 1e6,
                     chip.clockMhz.value);
}

llvm::Expected<std::string> runMap(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(run.file(stage_file::kClusters)));
  SPINDLE_ASSIGN(Mapping mapping, map(clustering, chip, run.flow.mapping, run.counting("moves")));
  SPINDLE_RETURN_IF_ERROR(writeMapping(run.output(stage_file::kMapping), mapping));
  double saving = mapping.randomSpikeHops > 0
                      ? 100 * (1 - static_cast<double>(mapping.spikeHops) / mapping.randomSpikeHops)
                      : 0;
  return fmt::format("{} spike-hops, {:.0f} % below random placement", mapping.spikeHops, saving);
}

llvm::Expected<std::string> runSimulate(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(run.file(stage_file::kClusters)));
  SPINDLE_ASSIGN(Mapping mapping, readMapping(run.file(stage_file::kMapping)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(stage_file::kSpikes)));
  llvm::Expected<ChipStats> simulated =
      simulateChip(clustering, mapping, trace, chip, run.flow.simulation, run.counting("steps"));
  if (!simulated) // files of different runs have no other place than their folder
    return llvm::handleErrors(simulated.takeError(), [&](std::unique_ptr<SpindleError> error) {
      error->place = error->place.empty() ? run.folder : error->place;
      return llvm::Error(std::move(error));
    });
  const ChipStats &stats = *simulated;
  SPINDLE_RETURN_IF_ERROR(writeChipStats(run.output(stage_file::kChip), stats));
  return fmt::format("{} packets, latency {:.1f} cycles (at most {}), {:.4g} nJ per sample",
                     stats.packets, stats.latencyMeanCycles, stats.latencyMaxCycles,
                     stats.energyTotalPj / 1000 / std::max<uint32_t>(1, stats.samples));
}

} // namespace spindle
