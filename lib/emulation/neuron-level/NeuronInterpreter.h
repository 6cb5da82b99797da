// Runs a program of the neuron level by the reference semantics.
#pragma once

#include "lib/emulation/neuron-level/Program.h"

namespace spindle::neuron_level {

/// The results of the entry function. Errors of arguments name them `arg0`, `arg1`, …; those of
/// operations name their place.
llvm::Expected<std::vector<Value>> interpret(const Program &program, std::vector<Value> arguments);

/// Number, kind and shape of the arguments.
llvm::Error checkArguments(const Program &program, const std::vector<Value> &arguments);

} // namespace spindle::neuron_level
