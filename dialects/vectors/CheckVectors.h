// Which vectors a program may have.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle::vectors {

/// Whether a module has vectors, or operations of the dialect.
bool hasVectors(mlir::ModuleOp module);

/// The refusals of `unrollVectors`.
mlir::LogicalResult checkVectors(mlir::ModuleOp module, llvm::StringRef top);

} // namespace spindle::vectors
