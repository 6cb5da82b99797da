// The subcommands of `spindle` that make and measure circuits.
#pragma once

#include "tools/spindle/Commands.h"

namespace spindle {

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

} // namespace spindle
