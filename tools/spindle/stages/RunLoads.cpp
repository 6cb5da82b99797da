#include "tools/spindle/stages/RunLoads.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "lib/mapping/Loads.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

namespace {

/// What all simulations share.
struct Simulated {
  const SpikingGraph &graph;
  const MappingOptions &mapping;
  const ChipOptions &options;
  const Progress &progress;
};

/// A clustering on a chip with room for it.
struct PlacedRun {
  Mapping mapping;
  ChipStats stats;
};

} // namespace

llvm::Error checkLoadPrices(const Chip &chip) {
  if (!chip.load.rowCycles.source.empty())
    return llvm::Error::success();
  return inputError(chip.path, "the chip has no price of writing a row of a crossbar, which loads "
                               "need; add load: {row_cycles: {value: 10, source: \"assumption: "
                               "...\"}} (version 2)");
}

static llvm::Expected<PlacedRun> runOn(const Clustering &clustering, const Chip &chip,
                                       const SpikeTrace &trace, const Simulated &given) {
  PlacedRun run;
  SPINDLE_ASSIGN(run.mapping, map(clustering, chip, given.mapping));
  SPINDLE_ASSIGN(run.stats, simulateChip(clustering, run.mapping, trace, chip, given.options,
                                         given.progress, {.graph = &given.graph}));
  return run;
}

static SampleCost costOf(const ChipStats &stats) {
  double samples = std::max(1u, stats.samples);
  SampleCost cost;
  cost.runCycles = double(stats.cycles) / samples;
  cost.packets = double(stats.packets) / samples;
  cost.synapticEvents = double(stats.synapticEvents) / samples;
  cost.energyPj = stats.energyTotalPj / samples;
  return cost;
}

/// What a cycle takes whatever is done in it: leakage, gated or not, and the clock.
static double standingPjPerCycle(const ChipStats &stats) {
  double pj = 0;
  for (const EnergyPart &part : stats.energy)
    if (part.kind != kEnergyDynamic)
      pj += part.pj;
  return pj / double(std::max<uint64_t>(1, stats.cycles));
}

/// Adds what the simulation of a load leaves out: its spikes for later ones go to memory through
/// the host's tiles, at the price of packets, and the load is not over before they have passed
/// there. `recorded` samples made those spikes.
static void addMemoryPackets(SampleCost &cost, const Load &load, const Mapping &mapping,
                             const Chip &chip, uint32_t recorded) {
  double flits = chip.router.spikePacketFlits, out = 0;
  for (size_t c = 0; c < load.clusters.size(); ++c) {
    double spikes = double(load.spikesOut[c]) / recorded;
    TileId from = mapping.placements[c].tile, to = chip.mesh.hostTileFor(from);
    cost.energyPj += spikes * (chip.energy.axonOutPj.value + flits * chip.hopsPj(from, to));
    out += spikes;
  }
  double hostCycles =
      out * flits * chip.router.linkIntervalCycles / double(chip.mesh.hostTiles.size());
  cost.runCycles = std::max(cost.runCycles, hostCycles);
  cost.packets += out;
}

/// The chip with a mesh so long that all clusters find room.
static llvm::Expected<Chip> largeEnough(Chip chip, size_t clusters) {
  uint64_t perRow = uint64_t(chip.mesh.columns) * chip.crossbarsPerTile;
  uint64_t rows = std::max<uint64_t>(chip.mesh.rows, (clusters + perRow - 1) / perRow);
  if (chip.mesh.isJoined()) // whole chips
    rows = (rows + chip.mesh.chipRows - 1) / chip.mesh.chipRows * chip.mesh.chipRows;
  if (rows > kLongestMeshSide)
    return inputError(chip.path,
                      fmt::format("the network needs {} crossbars, more than a mesh of {} columns "
                                  "and {} rows has; use larger crossbars",
                                  clusters, chip.mesh.columns, kLongestMeshSide));
  chip.mesh.rows = static_cast<uint32_t>(rows);
  return chip;
}

llvm::Expected<MultiplexedRun> runInLoads(const Clustering &clustering, const SpikeTrace &trace,
                                          const SpikingGraph &graph, const Chip &chip,
                                          const MappingOptions &mapping, const ChipOptions &options,
                                          const Progress &progress) {
  SPINDLE_RETURN_IF_ERROR(checkLoadPrices(chip));
  SPINDLE_ASSIGN(std::vector<Load> loads, planLoads(clustering, chip));
  Simulated given{graph, mapping, options, progress};
  MultiplexedRun result;
  result.chip = chip.name;
  result.crossbars = chip.crossbars();
  result.clockMhz = chip.clockMhz.value;
  result.prices = chip.load;
  for (const Load &load : loads) {
    Clustering part = clusteringOf(clustering, load);
    SpikeTrace heard = trace;
    heard.populations = populationsOf(trace.populations, part);
    SPINDLE_ASSIGN(PlacedRun run, runOn(part, chip, heard, given));
    SampleCost cost = costOf(run.stats);
    const double simulated = cost.runCycles;
    addMemoryPackets(cost, load, run.mapping, chip, std::max(1u, clustering.samples));
    if (loads.size() > 1) {
      cost.writeCycles = double(writeCycles(load, chip));
      cost.energyPj += writePj(load, chip);
    }
    cost.energyPj += standingPjPerCycle(run.stats) * (cost.cycles() - simulated);
    result.loads.push_back({load.clusters, run.mapping.placements, load.rows, cost});
  }
  SPINDLE_ASSIGN(Chip large, largeEnough(chip, clustering.clusters.size()));
  SPINDLE_ASSIGN(PlacedRun whole, runOn(clustering, large, trace, given));
  result.samples = whole.stats.samples;
  result.crossbarsAtOnce = large.crossbars();
  result.atOnce = costOf(whole.stats);
  SPINDLE_RETURN_IF_ERROR(verify(result));
  return result;
}

std::string summaryOf(const MultiplexedRun &run) {
  double cycles = costOf(run).cycles();
  return fmt::format("{} load{} on {} crossbars: {:.0f} cycles per sample, {:.2f} times those of "
                     "{} crossbars",
                     run.loads.size(), run.loads.size() == 1 ? "" : "s", run.crossbars, cycles,
                     cycles / run.atOnce.cycles(), run.crossbarsAtOnce);
}

} // namespace spindle
