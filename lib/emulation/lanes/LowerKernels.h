// From loops over vectors to the LLVM dialect.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle::lanes {

/// Whether kernels are what MLIR takes them for. Errors: mistakes of ours.
llvm::Error verifyKernels(mlir::ModuleOp module);

/// Lowers the module in place, and lets its context be compiled; buffers become bare pointers.
llvm::Error lowerKernels(mlir::ModuleOp module);

} // namespace spindle::lanes
