// The circuit of the sample run, and the int8 ANN beside it: small numbers to work out by hand.
#pragma once

#include "lib/report/StageFiles.h"

namespace spindle {

/// Sets `hardware`, `circuit` and `int8Ann` of a run whose `ann` and `emulation` are there.
void addSampleCircuit(StageFiles &files);

/// Writes them as stages and tools leave them in the folder of a run.
llvm::Error writeCircuits(const std::string &folder, const StageFiles &files);

} // namespace spindle
