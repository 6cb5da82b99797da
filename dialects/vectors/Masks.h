// Regions under a mask.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle::vectors {

/// vector.mask around transfers, gathers and reductions goes; around other operations it stays.
mlir::LogicalResult resolveMasks(mlir::ModuleOp module);

} // namespace spindle::vectors
