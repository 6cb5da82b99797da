// One circuit of a program, for given choices: what the searches compare. Programs here are prepared
// (hw/hls/prepare), once for all choices.
#pragma once

#include "hw/synthesis/Synthesis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// Reshapes the loops of a program: the function that becomes the kernel.
llvm::Expected<mlir::func::FuncOp> reshape(mlir::ModuleOp program, const Target &target,
                                           const SynthesisOptions &options);

/// Everything but the circuit: reshapes the loops of a copy of the program and schedules, all with
/// the variants of the options.
llvm::Expected<Synthesis> attempt(mlir::ModuleOp program, const Target &target,
                                  const SynthesisOptions &options);

/// Adds the circuit and its estimate, once.
llvm::Error addCircuit(Synthesis &made, const Target &target);

/// What a circuit must fit into where a choice is left: the budget, else the part; nothing where
/// the target has no capacity.
std::optional<DeviceArea> roomFor(const SynthesisOptions &options, const Target &target);

/// The kinds of units in a kernel, each once, as they were made.
std::vector<std::string> kindsIn(KernelOp kernel);

} // namespace spindle::hls
