// The subcommands of `spindle`.
#pragma once

#include "core/support/Error.h"

#include "llvm/ADT/FunctionExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace spindle {

class Ranks;
struct Flow;
struct StageRun;

/// What the parsed command line asks for; called once, after parsing.
using Command = llvm::unique_function<llvm::Error()>;

/// `run` and one command per stage. The ranks share the emulations.
void addRunCommands(CLI::App &app, Command &command, Ranks &ranks);

/// What `analyze` takes beside a data-flow graph in the XML of SDF3.
struct GraphArguments {
  std::string file, architecture, binding;
  bool withStorage = false;
  std::vector<std::string> overrides; // of the sections `analysis` and `binding`
};
/// `analyze` of such a graph: what the stage of that name writes, in `folder`. `withStorage`: also
/// the buffers that every throughput needs. With an architecture: also its throughput on those
/// tiles, with the binding or, where there is none, the best that is found.
llvm::Error analyzeGraph(const GraphArguments &arguments, const std::string &folder);

/// `partition --compare`: all algorithms on the graph in `folder`, as a table beside lower bounds,
/// and in the file `csv` unless that is empty. Leaves the stage files as they are.
llvm::Error comparePartitions(const Flow &flow, const std::string &folder, const std::string &csv);

/// What `simulate` takes in the place of a flow.
struct ReplayArguments {
  std::string packets, chip;
  std::optional<std::string> links; // to watch: 0-1,5-13
  std::string engine;
};
/// `simulate --packets TRACE.csv --chip CHIP`: packets of a trace on the routers of a chip.
llvm::Error replayPackets(const ReplayArguments &arguments, const std::string &folder);

/// `multiplex`: a network on a chip with fewer crossbars than it needs, in loads one after the
/// other.
void addMultiplexCommand(CLI::App &app, Command &command);

/// `report`, `dataset`, `lists`: from files to files, without a stage.
void addFileCommands(CLI::App &app, Command &command);

/// `explore`, `collect`: many points of a flow.
void addExploreCommands(CLI::App &app, Command &command);

/// `export`: a spiking network to the format of other tools.
void addExportCommand(CLI::App &app, Command &command);

/// `sanafe export`, `sanafe import`: chips and mapped networks from and to SANA-FE.
void addSanafeCommands(CLI::App &app, Command &command);

/// `eval`: a function of the neuron level on arrays.
void addEvalCommand(CLI::App &app, Command &command);

/// The commands of the hardware side, hardware/HardwareCommands.h. The program spindle-flow, which
/// the launcher builds for flows, has none: NoHardware.cpp.
void addHardwareCommands(CLI::App &app, Command &command);

/// The stage `hardware`, hardware/HardwareStage.cpp; spindle-flow refuses it, and before the first
/// stage its target.
llvm::Expected<std::string> runHardware(const StageRun &run);
llvm::Error checkTarget(const Flow &flow);

/// `completion`, `manual`: what the commands added before them say of themselves.
void addManualCommands(CLI::App &app, Command &command);

} // namespace spindle
