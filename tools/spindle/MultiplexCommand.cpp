// `spindle multiplex FLOW`: a network on a chip with fewer crossbars than it needs, part after
// part.
#include "tools/spindle/Commands.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"
#include "lib/partition/Partition.h"
#include "tools/spindle/flow/Flow.h"
#include "tools/spindle/stages/RunLoads.h"

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

} // namespace

/// A line of the table, or of the same as CSV.
static std::string lineOf(const std::string &name, size_t clusters, uint64_t rows,
                          const SampleCost &cost, bool isCsv) {
  return fmt::format(
      fmt::runtime(isCsv ? "{},{},{},{:.0f},{:.0f},{:.0f},{:.3f}\n"
                         : "{:<8}{:>10}{:>10}{:>14.0f}{:>14.0f}{:>12.0f}{:>12.3f}\n"),
      name, clusters, rows, cost.writeCycles, cost.runCycles, cost.packets, cost.energyPj / 1e6);
}

static std::string tableOf(const MultiplexedRun &run, bool isCsv) {
  std::string text =
      isCsv ? "load,clusters,rows,write_cycles,run_cycles,packets,energy_uj\n"
            : fmt::format("{:<8}{:>10}{:>10}{:>14}{:>14}{:>12}{:>12}\n", "load", "clusters", "rows",
                          "write cycles", "run cycles", "packets", "µJ");
  uint64_t rows = 0;
  for (size_t l = 0; l < run.loads.size(); ++l) {
    const PlacedLoad &load = run.loads[l];
    text += lineOf(std::to_string(l + 1), load.clusters.size(), load.rows, load.cost, isCsv);
    rows += load.rows;
  }
  text += lineOf("together", run.clusters(), rows, costOf(run), isCsv);
  return text + lineOf("at once", run.clusters(), rows, run.atOnce, isCsv);
}

static llvm::Error multiplex(const MultiplexArguments &arguments) {
  SPINDLE_ASSIGN(Flow flow, readFlow(arguments.flow, arguments.overrides));
  if (!flow.hasChip)
    return inputError(flow.path, "key 'chip' is missing; loads are of a chip");
  SPINDLE_ASSIGN(Chip chip, readChip(flow.chip));
  SPINDLE_RETURN_IF_ERROR(checkLoadPrices(chip));
  std::string folder = arguments.folder;
  if (folder.empty())
    folder = "out/" + std::filesystem::path(arguments.flow).stem().string();
  for (const char *file : {run::kGraph, run::kSpikes})
    if (!isThere(folder + "/" + file))
      return inputError(folder + "/" + file, "loads are made from this file and it is not there; "
                                             "spindle run FLOW --until graph makes it");
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(folder + "/" + run::kGraph));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(folder + "/" + run::kSpikes));
  PartitionOptions options = flow.partition;
  options.multiplex = true;
  SPINDLE_ASSIGN(Clustering clustering, partitionFreely(graph, chip, options, &trace));
  SPINDLE_ASSIGN(MultiplexedRun run,
                 runInLoads(clustering, trace, graph, chip, flow.mapping, flow.simulation));
  fmt::print("{}{}\n", tableOf(run, false), summaryOf(run));
  return arguments.csv.empty() ? llvm::Error::success()
                               : writeFile(arguments.csv, tableOf(run, true));
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
