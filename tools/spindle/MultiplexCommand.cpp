// `spindle multiplex FLOW`: a network on a chip with fewer crossbars than it needs, part after
// part.
#include "tools/spindle/Commands.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"
#include "lib/mapping/Loads.h"
#include "lib/mapping/Map.h"
#include "lib/partition/Partition.h"
#include "sim/model/ChipSimulation.h"
#include "tools/spindle/flow/Flow.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <filesystem>
#include <memory>

namespace spindle {

namespace {

struct MultiplexArguments {
  std::string flow, folder, csv;
  std::vector<std::string> overrides;
};

/// Per sample.
struct LoadFigures {
  uint64_t clusters = 0, rows = 0;
  double writeCycles = 0, runCycles = 0, packets = 0, energyPj = 0;
};

/// A clustering on a chip with room for it.
struct Run {
  Mapping mapping;
  ChipStats stats;
};

} // namespace

static llvm::Expected<Run> runOn(const Clustering &clustering, const Chip &chip,
                                 const SpikeTrace &trace, const Flow &flow) {
  Run result;
  SPINDLE_ASSIGN(result.mapping, map(clustering, chip, flow.mapping));
  SPINDLE_ASSIGN(result.stats,
                 simulateChip(clustering, result.mapping, trace, chip, flow.simulation));
  return result;
}

/// What the simulation of a load leaves out: its spikes for later ones go to memory through the
/// host's tiles, at the price of packets, and the load is not over before they have passed there.
static LoadFigures figuresOf(const Load &load, const Run &run, const Chip &chip,
                             uint32_t recorded) {
  double samples = std::max(1u, run.stats.samples), flits = chip.router.spikePacketFlits;
  LoadFigures figures;
  figures.clusters = load.clusters.size();
  figures.rows = load.rows;
  figures.writeCycles = double(writeCycles(load, chip));
  figures.energyPj = writePj(load, chip) + run.stats.energyTotalPj / samples;
  double out = 0;
  for (size_t c = 0; c < load.clusters.size(); ++c) {
    double spikes = double(load.spikesOut[c]) / recorded;
    TileId from = run.mapping.placements[c].tile, to = chip.mesh.hostTileFor(from);
    figures.energyPj += spikes * (chip.energy.axonOutPj.value +
                                  flits * (chip.mesh.hopsX(from, to) * chip.energy.hopXPj.value +
                                           chip.mesh.hopsY(from, to) * chip.energy.hopYPj.value));
    out += spikes;
  }
  double hostCycles =
      out * flits * chip.router.linkIntervalCycles / double(chip.mesh.hostTiles.size());
  figures.runCycles = std::max(double(run.stats.cycles) / samples, hostCycles);
  figures.packets = double(run.stats.packets) / samples + out;
  return figures;
}

/// The chip with a mesh so long that all clusters find room.
static llvm::Expected<Chip> largeEnough(Chip chip, size_t clusters) {
  uint64_t perRow = uint64_t(chip.mesh.columns) * chip.crossbarsPerTile;
  uint64_t rows = std::max<uint64_t>(chip.mesh.rows, (clusters + perRow - 1) / perRow);
  if (rows > kLongestMeshSide)
    return inputError(chip.path,
                      fmt::format("the network needs {} crossbars, more than a mesh of {} columns "
                                  "and {} rows has; use larger crossbars",
                                  clusters, chip.mesh.columns, kLongestMeshSide));
  chip.mesh.rows = static_cast<uint32_t>(rows);
  return chip;
}

static std::string lineOf(const std::string &name, const LoadFigures &figures, bool isCsv) {
  return fmt::format(fmt::runtime(isCsv
                                      ? "{},{},{},{:.0f},{:.0f},{:.0f},{:.3f}\n"
                                      : "{:<8}{:>10}{:>10}{:>14.0f}{:>14.0f}{:>12.0f}{:>12.3f}\n"),
                     name, figures.clusters, figures.rows, figures.writeCycles, figures.runCycles,
                     figures.packets, figures.energyPj / 1e6);
}

static llvm::Error multiplex(const MultiplexArguments &arguments) {
  SPINDLE_ASSIGN(Flow flow, readFlow(arguments.flow, arguments.overrides));
  if (!flow.hasChip)
    return inputError(flow.path, "key 'chip' is missing; loads are of a chip");
  SPINDLE_ASSIGN(Chip chip, readChip(flow.chip));
  if (chip.load.rowCycles.source.empty())
    return inputError(chip.path,
                      "the chip has no price of writing a row of a crossbar, which loads "
                      "need; add load: {row_cycles: {value: 10, source: \"assumption: "
                      "...\"}} (version 2)");
  std::string folder = arguments.folder;
  if (folder.empty())
    folder = "out/" + std::filesystem::path(arguments.flow).stem().string();
  for (const char *file : {run::kGraph, run::kSpikes})
    if (!std::filesystem::exists(folder + "/" + file))
      return inputError(folder + "/" + file, "loads are made from this file and it is not there; "
                                             "spindle run FLOW --until graph makes it");
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(folder + "/" + run::kGraph));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(folder + "/" + run::kSpikes));
  SPINDLE_ASSIGN(Clustering clustering, partitionFreely(graph, chip, flow.partition));
  SPINDLE_ASSIGN(std::vector<Load> loads, planLoads(clustering, chip));

  std::string table = fmt::format("{:<8}{:>10}{:>10}{:>14}{:>14}{:>12}{:>12}\n", "load", "clusters",
                                  "rows", "write cycles", "run cycles", "packets", "µJ");
  std::string csv = "load,clusters,rows,write_cycles,run_cycles,packets,energy_uj\n";
  LoadFigures all;
  auto add = [&](const std::string &name, const LoadFigures &figures) {
    table += lineOf(name, figures, false);
    csv += lineOf(name, figures, true);
  };
  for (size_t l = 0; l < loads.size(); ++l) {
    Clustering part = clusteringOf(clustering, loads[l]);
    SpikeTrace heard = trace;
    heard.populations = populationsOf(trace.populations, part);
    SPINDLE_ASSIGN(Run run, runOn(part, chip, heard, flow));
    LoadFigures figures = figuresOf(loads[l], run, chip, std::max(1u, clustering.samples));
    if (loads.size() == 1) { // its weights stay
      figures.writeCycles = 0;
      figures.energyPj -= writePj(loads[l], chip);
    }
    add(std::to_string(l + 1), figures);
    all.clusters += figures.clusters;
    all.rows += figures.rows;
    all.writeCycles += figures.writeCycles;
    all.runCycles += figures.runCycles;
    all.packets += figures.packets;
    all.energyPj += figures.energyPj;
  }
  add("together", all);
  SPINDLE_ASSIGN(Chip large, largeEnough(chip, clustering.clusters.size()));
  SPINDLE_ASSIGN(Run run, runOn(clustering, large, trace, flow));
  LoadFigures whole;
  whole.clusters = all.clusters;
  whole.rows = all.rows;
  double samples = std::max(1u, run.stats.samples);
  whole.runCycles = double(run.stats.cycles) / samples;
  whole.packets = double(run.stats.packets) / samples;
  whole.energyPj = run.stats.energyTotalPj / samples;
  add("at once", whole);
  fmt::print("{}{} load{} on {} crossbars: {:.0f} cycles per sample, {:.2f} times those of {} "
             "crossbars\n",
             table, loads.size(), loads.size() == 1 ? "" : "s", chip.crossbars(),
             all.writeCycles + all.runCycles, (all.writeCycles + all.runCycles) / whole.runCycles,
             large.crossbars());
  return arguments.csv.empty() ? llvm::Error::success() : writeFile(arguments.csv, csv);
}

void addMultiplexCommand(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<MultiplexArguments>();
  CLI::App *sub = app.add_subcommand(
      "multiplex", "a network on a chip with fewer crossbars than it needs, part after part");
  sub->add_option("flow", arguments->flow, "flow file (YAML), of the small chip")
      ->type_name("FILE")
      ->required();
  sub->add_option("--out", arguments->folder, "folder with the graph (out/NAME-OF-FLOW)")
      ->type_name("FOLDER");
  sub->add_option("--csv", arguments->csv, "the table as a file")->type_name("FILE");
  sub->add_option("--set", arguments->overrides, "override a key: partition.algorithm=first_fit")
      ->take_all()
      ->expected(1);
  sub->callback([=, &command] { command = [=] { return multiplex(*arguments); }; });
}

} // namespace spindle
