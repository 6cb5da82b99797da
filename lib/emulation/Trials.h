// Networks that drive themselves, by recurrence, Poisson sources or spikes they hold, need no data
// set; and how long networks run.
#pragma once

#include "core/network/Samples.h"
#include "lib/emulation/runtime/EmulationOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Whether some operation reads the input of `@main`, so that samples are needed.
bool readsSamples(mlir::ModuleOp network);

/// Samples without content and labels, which differ in their random numbers.
Samples makeTrials(mlir::ModuleOp network, size_t count);

/// The duration of a step: the attribute `snn.dt_ms` of the module, else that of the options.
double stepMsOf(const EmulationOptions &options, mlir::ModuleOp network);

/// The steps that the options ask for. Error: a duration that is no multiple of a step.
llvm::Expected<int64_t> stepsOf(const EmulationOptions &options, mlir::ModuleOp network);

} // namespace spindle
