#include "tools/spindle/Commands.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/support/files/DataPath.h"
#include "core/support/files/FolderLock.h"
#include "lib/partition/ConnectionLists.h"
#include "lib/report/Report.h"
#include "tools/spindle/flow/Flow.h"

#include "CLI/CLI.hpp"

#include <filesystem>
#include <memory>

namespace spindle {

static llvm::Error reportAnew(const std::string &folder) {
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  return writeReport(folder);
}

static void addReport(CLI::App &app, Command &command) {
  auto folder = std::make_shared<std::string>();
  CLI::App *sub = app.add_subcommand("report", "write report.json and report.html anew");
  sub->add_option("folder", *folder, "folder of the stage files")->type_name("FOLDER")->required();
  sub->callback([=, &command] { command = [=] { return reportAnew(*folder); }; });
}

namespace {
struct DatasetArguments {
  std::string flow, out;
  std::vector<std::string> overrides;
  bool calibration = false;
};
} // namespace

static llvm::Error writeDataset(const DatasetArguments &arguments) {
  SPINDLE_ASSIGN(Flow flow, readFlow(arguments.flow, arguments.overrides));
  if (!flow.hasDataset)
    return inputError(flow.path, "section 'dataset' is missing");
  PathResolver paths(flow.path);
  SPINDLE_ASSIGN(Samples samples, arguments.calibration ? loadCalibration(flow.dataset, paths)
                                                        : loadDataset(flow.dataset, paths));
  return writeDatasetNpz(arguments.out, samples);
}

static void addDataset(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<DatasetArguments>();
  CLI::App *sub = app.add_subcommand(
      "dataset", "write the inputs of a flow, as the network sees them, to .npz");
  sub->add_option("flow", arguments->flow, "flow file (YAML)")->type_name("FILE")->required();
  sub->add_option("--out", arguments->out, "file to write (.npz)")->type_name("FILE")->required();
  sub->add_option("--set", arguments->overrides, "override a key")->take_all()->expected(1);
  sub->add_flag("--calibration", arguments->calibration, "the calibration set instead");
  sub->callback([=, &command] { command = [=] { return writeDataset(*arguments); }; });
}

namespace {
struct ListArguments {
  std::string folder, connections, spikes;
};
} // namespace

static llvm::Error exportLists(const ListArguments &arguments) {
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(arguments.folder + "/40-graph.h5"));
  SPINDLE_RETURN_IF_ERROR(
      needSynapses(graph, arguments.folder + "/40-graph.h5", "a list of connections"));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(arguments.folder + "/30-spikes.h5"));
  return writeConnectionLists(arguments.connections, arguments.spikes, graph, trace);
}

static llvm::Error importLists(const ListArguments &arguments) {
  SPINDLE_ASSIGN(ConnectionLists lists,
                 readConnectionLists(arguments.connections, arguments.spikes));
  SPINDLE_RETURN_IF_ERROR(makeFolder(arguments.folder));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(arguments.folder));
  SPINDLE_RETURN_IF_ERROR(writeSpikeTrace(arguments.folder + "/30-spikes.h5", lists.trace));
  return writeSpikingGraph(arguments.folder + "/40-graph.h5", lists.graph);
}

static void addListCommand(CLI::App &lists, Command &command, const char *name, const char *summary,
                           llvm::Error (*act)(const ListArguments &)) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App *sub = lists.add_subcommand(name, summary);
  sub->add_option("folder", arguments->folder, "folder of the stage files")
      ->type_name("FOLDER")
      ->required();
  sub->add_option("--connections", arguments->connections,
                  "line k: source neuron, then its targets")
      ->type_name("FILE")
      ->required();
  sub->add_option("--spikes", arguments->spikes, "line: neuron, then its spike times")
      ->type_name("FILE")
      ->required();
  sub->callback([=, &command] { command = [=] { return act(*arguments); }; });
}

static void addLists(CLI::App &app, Command &command) {
  CLI::App *lists = app.add_subcommand(
      "lists", "exchange graph and spikes with other partitioners as plain lists");
  lists->require_subcommand(1);
  addListCommand(*lists, command, "export", "30-spikes.h5, 40-graph.h5 to lists", exportLists);
  addListCommand(*lists, command, "import",
                 "lists to 30-spikes.h5, 40-graph.h5; go on with run --from partition",
                 importLists);
}

void addFileCommands(CLI::App &app, Command &command) {
  addReport(app, command);
  addDataset(app, command);
  addLists(app, command);
}

} // namespace spindle
