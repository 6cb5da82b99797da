// Circuits of kernels in the simulation of the rtl dialect.
#pragma once

#include "dialects/hls/interpreter/Interpreter.h"

#include "dialects/rtl/Rtl.h"

namespace spindle::hls {

/// The design of a scheduled kernel after the passes that `synth` runs on it.
mlir::OwningOpRef<mlir::ModuleOp> circuitOf(KernelOp kernel, const std::string &top);

/// Whether `runCircuit` has a model of every unit.
bool hasUnitModels(KernelOp kernel);

/// Resets the circuit, starts it on `interrupted`, resets it again after `resetCycle` cycles (not
/// at all where that is 0), leaves it idle for `pause` cycles, then runs it twice on `arguments`,
/// from one start to the next, and returns the second run. `kernel` says what its ports and units
/// are. Errors: the runs differ, no end after `mostCycles`, accesses that meet, are out of range or
/// take place in the pause.
llvm::Expected<Interpretation>
runCircuit(mlir::ModuleOp design, const std::string &top, KernelOp kernel,
           const std::vector<KernelArray> &interrupted, uint64_t resetCycle, uint64_t pause,
           const std::vector<KernelArray> &arguments, uint64_t mostCycles);

} // namespace spindle::hls
