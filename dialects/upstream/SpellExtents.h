// Extents of arrays by the number of a dimension that is data.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle {

/// `memref.dim` and `tensor.dim` below an operation whose dimension is data become choices among
/// the extents of all dimensions.
void spellExtents(mlir::Operation *root);

} // namespace spindle
