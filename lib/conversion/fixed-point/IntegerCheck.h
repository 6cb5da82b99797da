// Whether a network computes with integers alone.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Errors name the first layer that stays in f32, what was found there and what to do; or a layer
/// whose sums need more than `accumulatorBits`, or more than the emulator computes exactly.
llvm::Error checkIntegers(mlir::ModuleOp network, int64_t accumulatorBits);

} // namespace spindle
