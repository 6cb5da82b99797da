// Circuits in the simulation of the rtl dialect, driven by what their interface says.
#pragma once

#include "core/kernel/KernelInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace spindle::hls {

struct SystemRun {
  std::vector<KernelArray> arguments; // after the run
  uint64_t cycles = 0;                // from start to done
};

/// Resets the circuit, starts it and resets it again after `resetCycle` cycles (not at all where
/// that is 0), then runs it twice on `arguments`, from one start to the next; returns the second
/// run. Streams stall in `stallPercent` of the cycles. Units have no models. Errors: the runs
/// differ (their cycles only where nothing stalls), no end after `mostCycles`, words that are not
/// there, two ports of a bank on one word of which one writes, tokens that are left or missing.
llvm::Expected<SystemRun> runSystem(mlir::ModuleOp design, const KernelInterface &kernel,
                                    const std::vector<KernelArray> &arguments, uint64_t resetCycle,
                                    uint64_t mostCycles, uint32_t stallPercent = 0);

} // namespace spindle::hls
