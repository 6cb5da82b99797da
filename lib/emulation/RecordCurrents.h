// What arrives at one population: the currents that calibration fits thresholds to.
#pragma once

#include "lib/core/Samples.h"
#include "lib/emulation/Batches.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

/// Receives the current of every step of one sample, step-major: steps × neurons. Called from
/// several threads, once per sample, in no order.
using CurrentReader = llvm::function_ref<void(size_t sample, llvm::ArrayRef<float> currents)>;

/// Emulates `snn` for `steps` steps on all samples and reads the input of the neuron population
/// with this `layer` name (its first source). Errors as for `emulate`, and a layer that there is
/// not.
llvm::Error recordCurrents(mlir::ModuleOp snn, const std::string &layer, const Samples &samples,
                           uint32_t steps, uint64_t seed, size_t threads, CurrentReader reader);

} // namespace spindle
