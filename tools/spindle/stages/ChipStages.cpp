// The stages from the spiking graph to the chip: partition, analyze, map, simulate.
#include "tools/spindle/flow/Stage.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/network/synapses/SynapseRuns.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"
#include "lib/mapping/Map.h"
#include "lib/partition/ListedPartition.h"
#include "lib/partition/Partition.h"
#include "lib/sdf/Analyze.h"
#include "lib/sdf/BuildSdf.h"
#include "lib/sdf/placed/PredictSteps.h"
#include "sim/chip/Engines.h"
#include "tools/spindle/stages/ChipFiles.h"
#include "tools/spindle/stages/TileCircuits.h"

#include "fmt/format.h"

#include <filesystem>
#include <optional>

namespace spindle {

static llvm::Expected<Chip> chipOf(const StageRun &run) {
  if (!run.flow.hasChip)
    return inputError(run.flow.path, "key 'chip' is missing; this stage needs a chip file");
  return readChip(run.flow.chip);
}

/// What a library made, or its error with the file of the noun that it was about: libraries know
/// that of the chip alone.
template <typename Made>
static llvm::Expected<Made> madeFrom(const std::string &file, const Chip &chip,
                                     llvm::Expected<Made> made) {
  if (made)
    return made;
  return llvm::handleErrors(made.takeError(), [&](std::unique_ptr<SpindleError> error) {
    if (error->place != chip.path)
      error->place = file + ": " + error->place;
    return llvm::Error(std::move(error));
  });
}

llvm::Expected<std::string> runPartition(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  std::string file = run.file(run::kGraph);
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(file));
  std::optional<PlacementList> list;
  std::optional<SpikeTrace> trace;
  std::error_code isMissing;
  if (!run.flow.placement.empty()) {
    SPINDLE_ASSIGN(list, readPlacementList(run.flow.placement, chip));
  } else if (usesSteps(graph, chip, run.flow.partition) &&
             std::filesystem::exists(run.file(run::kSpikes), isMissing)) {
    SPINDLE_ASSIGN(trace, readSpikeTrace(run.file(run::kSpikes)));
  }
  SPINDLE_ASSIGN(Clustering clustering, list ? partitionAsListed(graph, chip, *list)
                                             : madeFrom(file, chip,
                                                        partition(graph, chip, run.flow.partition,
                                                                  trace ? &*trace : nullptr)));
  if (list)
    clustering.order = run.flow.partition.order();
  SPINDLE_RETURN_IF_ERROR(
      writeClustering(run.output(run::kClusters), clustering, run.flow.partition.lists));
  SPINDLE_RETURN_IF_ERROR(writePart(run.output(run::kClusterPart), clustering));
  return fmt::format("{} clusters for {} columns, {} cut spikes ({})", clustering.clusters.size(),
                     clustering.units.size(), clustering.cutSpikes, clustering.algorithm);
}

namespace {

/// What was recorded of the network that the clusters were made from, where it is there.
struct Recorded {
  std::optional<SpikeTrace> spikes;
  std::optional<SpikingGraph> neurons; // on a chip that prices accesses
};

} // namespace

static llvm::Expected<Recorded> recordedOf(const StageRun &run, const Chip &chip) {
  Recorded recorded;
  if (std::string path = run.file(run::kSpikes); isThere(path)) {
    SPINDLE_ASSIGN(recorded.spikes, readSpikeTrace(path));
  }
  if (std::string path = run.file(run::kGraph);
      chip.countsAccesses() && recorded.spikes && isThere(path)) {
    SPINDLE_ASSIGN(recorded.neurons, readSpikingGraph(path));
  }
  return recorded;
}

/// Clusters that another version has made, or that were written by hand, would be charged otherwise
/// than the graph says.
static llvm::Error checkKinds(const std::string &file, const Clustering &clustering,
                              const SpikingGraph &graph) {
  for (const Cluster &cluster : clustering.clusters)
    for (const Axon &axon : cluster.axons)
      if (axon.synapses[SynapseKind::Unknown] < axon.synapses.all())
        return llvm::Error::success();
  SynapseRuns runs(graph);
  SynapsesByKind<uint64_t> ofGraph;
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    runs.forEach(
        n, graph.offsets[graph.listOf(n)], graph.offsets[graph.listOf(n)] + graph.fanIn(n),
        [&](uint64_t first, uint64_t last, SynapseKind kind) { ofGraph[kind] += last - first; });
  if (ofGraph[SynapseKind::Unknown] == ofGraph.all())
    return llvm::Error::success();
  return inputError(file, fmt::format("says no kinds of synapses, and {} of {} have one in {}; "
                                      "run partition again",
                                      ofGraph.all() - ofGraph[SynapseKind::Unknown], ofGraph.all(),
                                      run::kGraph));
}

llvm::Expected<std::string> runAnalyze(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  std::string file = run.file(run::kClusters);
  SPINDLE_ASSIGN(Clustering clustering, readClustering(file));
  SPINDLE_ASSIGN(Recorded recorded, recordedOf(run, chip));
  if (recorded.neurons)
    SPINDLE_RETURN_IF_ERROR(checkKinds(file, clustering, *recorded.neurons));
  SPINDLE_ASSIGN(SdfGraph graph,
                 madeFrom(file, chip,
                          buildSdf(clustering, chip, run.flow.analysis,
                                   recorded.spikes ? &*recorded.spikes : nullptr,
                                   recorded.neurons ? &*recorded.neurons : nullptr)));
  SPINDLE_ASSIGN(SdfAnalysis analysis, madeFrom(file, chip, analyze(graph, run.flow.analysis)));
  SPINDLE_RETURN_IF_ERROR(
      writeSdfGraph(run.output(run::kSdfGraph), graph, run.flow.analysis.lists));
  if (graph.channels.size() <= kMostJsonEntries) // no tool draws more
    SPINDLE_RETURN_IF_ERROR(writeSdfDot(run.output(run::kSdfDot), graph));
  SPINDLE_RETURN_IF_ERROR(writeSdfAnalysis(run.output(run::kSdfAnalysis), graph, analysis));
  return fmt::format("period {:.0f} cycles per sample, {:.1f} samples/s at {:g} MHz",
                     analysis.period, analysis.throughput * chip.clockMhz.value * 1e6,
                     chip.clockMhz.value);
}

/// None without recorded spikes, or for a chip whose steps take what its clock says.
static llvm::Expected<std::optional<Prediction>> predictionOf(const StageRun &run, const Chip &chip,
                                                              const Clustering &clustering,
                                                              const Mapping &mapping) {
  auto detailed = static_cast<uint64_t>(run.flow.analysis.detailedSteps);
  if (chip.synchronisation == Synchronisation::Free || detailed == 0)
    return std::nullopt;
  SPINDLE_ASSIGN(Recorded recorded, recordedOf(run, chip));
  if (!recorded.spikes || recorded.spikes->recorded.empty() || clustering.clusters.empty() ||
      (chip.countsAccesses() && !recorded.neurons))
    return std::nullopt;
  return madeFrom(run.file(run::kClusters), chip,
                  predictSteps(clustering, mapping, *recorded.spikes, chip, detailed,
                               recorded.neurons ? &*recorded.neurons : nullptr));
}

llvm::Expected<std::string> runMap(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  std::string file = run.file(run::kClusters);
  SPINDLE_ASSIGN(Clustering clustering, readClustering(file));
  std::optional<PlacementList> list;
  if (!run.flow.placement.empty()) {
    SPINDLE_ASSIGN(list, readPlacementList(run.flow.placement, chip));
  }
  SPINDLE_ASSIGN(
      Mapping mapping,
      list ? mapAsListed(clustering, chip, *list)
           : madeFrom(file, chip, map(clustering, chip, run.flow.mapping, run.counting("moves"))));
  SPINDLE_RETURN_IF_ERROR(writeMapping(run.output(run::kMapping), mapping));
  SPINDLE_ASSIGN(std::optional<Prediction> prediction,
                 predictionOf(run, chip, clustering, mapping));
  std::string predicted;
  if (prediction) {
    SPINDLE_RETURN_IF_ERROR(writePrediction(run.output(run::kPrediction), *prediction));
    predicted = fmt::format("; {:.0f} cycles per sample predicted", prediction->cycles);
  }
  double saving = mapping.randomSpikeHops > 0
                      ? 100 * (1 - static_cast<double>(mapping.spikeHops) / mapping.randomSpikeHops)
                      : 0;
  return fmt::format("{} spike-hops, {:.0f} % below random placement{}", mapping.spikeHops, saving,
                     predicted);
}

llvm::Expected<std::string> runSimulate(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, chipOf(run));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(run.file(run::kClusters)));
  SPINDLE_ASSIGN(Mapping mapping, readMappingOf(run, clustering, chip));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(run::kSpikes)));
  SPINDLE_ASSIGN(std::unique_ptr<PacketNetwork> network,
                 makeNetwork(run.flow.simulation.engine, chip));
  std::optional<SpikingGraph> graph;
  if (chip.countsAccesses()) { // the clusters were made from it, so that it is no input of its own
    SPINDLE_ASSIGN(graph, readSpikingGraph(run.file(run::kGraph)));
    SPINDLE_RETURN_IF_ERROR(checkKinds(run.file(run::kClusters), clustering, *graph));
  }
  PacketLog log;
  bool isLogged = run.flow.simulation.trace;
  std::unique_ptr<TileCircuits> circuits;
  if (!run.flow.simulation.tiles.empty()) {
    SPINDLE_ASSIGN(circuits, makeTileCircuits(run, {chip, clustering, mapping, trace}));
  }
  TimeLapse lapse;
  ChipExtras extras{.log = isLogged ? &log : nullptr,
                    .lapse = &lapse,
                    .network = network.get(),
                    .graph = graph ? &*graph : nullptr};
  if (circuits)
    extras.circuits = circuits->tiles();
  SPINDLE_ASSIGN(ChipStats stats, simulateChip(clustering, mapping, trace, chip,
                                               run.flow.simulation, run.counting("steps"), extras));
  if (circuits)
    SPINDLE_RETURN_IF_ERROR(circuits->replay());
  SPINDLE_RETURN_IF_ERROR(writeChipStats(run.output(run::kChip), stats));
  SPINDLE_RETURN_IF_ERROR(writeTimeLapse(run.output(run::kLapse), lapse));
  if (isLogged) {
    SPINDLE_RETURN_IF_ERROR(writePacketTrace(run.output(run::kPackets), log.packets));
    SPINDLE_RETURN_IF_ERROR(writeDeliveries(run.output(run::kDelivered), log.deliveries));
  }
  double nanojoules = stats.energyTotalPj / 1000 / std::max<uint32_t>(1, stats.samples);
  return fmt::format("{} packets, latency {:.1f} cycles (at most {}), {}{}", stats.packets,
                     stats.latencyMeanCycles, stats.latencyMaxCycles,
                     chip.energy == EnergyTable() ? "no prices of energy"
                                                  : fmt::format("{:.4g} nJ per sample", nanojoules),
                     circuits ? circuits->summary() : "");
}

} // namespace spindle
