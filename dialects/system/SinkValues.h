// Values that are computed again where they are needed.
#pragma once

#include "dialects/system/System.h"

namespace spindle::system {

/// Whether an operation does nothing but compute values, or names a constant array.
bool isFree(mlir::Operation *op);

/// What the body of a launch uses of free operations outside of it is computed inside: all that is
/// left from outside are arrays, arguments and variables of loops.
void sinkValues(LaunchOp launch);

/// Erases free operations of a block that nobody uses.
void eraseUnused(mlir::Block &block);

} // namespace spindle::system
