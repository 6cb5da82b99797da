// What happens at one place of a network, sample by sample: calibration fits layers to it.
#pragma once

#include "core/network/Samples.h"
#include "core/network/SignalTap.h"
#include "lib/emulation/runtime/Batches.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Runs an ANN, or a spiking network for `steps` steps, on all samples and reads the signal at
/// `tap` (the first source of a population with several). Errors as for `emulate`, and a layer that
/// there is not.
llvm::Error recordSignal(mlir::ModuleOp network, const SignalTap &tap, const Samples &samples,
                         uint32_t steps, uint64_t seed, size_t threads, SignalReader reader);

} // namespace spindle
