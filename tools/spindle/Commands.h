// The subcommands of `spindle`.
#pragma once

#include "lib/support/Error.h"

#include "llvm/ADT/FunctionExtras.h"

namespace CLI {
class App;
}

namespace spindle {

class Ranks;

/// What the parsed command line asks for; called once, after parsing.
using Command = llvm::unique_function<llvm::Error()>;

/// `run` and one command per stage. The ranks share the emulations.
void addRunCommands(CLI::App &app, Command &command, Ranks &ranks);

/// `report`, `dataset`, `lists`: from files to files, without a stage.
void addFileCommands(CLI::App &app, Command &command);

/// `export`: a spiking network to the format of other tools.
void addExportCommand(CLI::App &app, Command &command);

/// `eval`: a function of the neuron level on arrays.
void addEvalCommand(CLI::App &app, Command &command);

/// `schedule`: a scheduling problem to a schedule.
void addScheduleCommand(CLI::App &app, Command &command);

/// `synth`: a program in MLIR to a circuit.
void addSynthCommand(CLI::App &app, Command &command);

/// `pipeline`: loops to software-pipelined loops for other tools.
void addPipelineCommand(CLI::App &app, Command &command);

/// `cosim`: a synthesised kernel beside its original program.
void addCosimCommand(CLI::App &app, Command &command);

/// `area`: what a synthesised kernel takes of a device.
void addAreaCommand(CLI::App &app, Command &command);

/// `completion`, `manual`: what the commands added before them say of themselves.
void addManualCommands(CLI::App &app, Command &command);

} // namespace spindle
