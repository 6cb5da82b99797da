// The dialect index, as operations of arith on indices.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle {

/// Operations of the dialect index below an operation become those of arith, which are defined for
/// all numbers; index.sizeof stays.
void spellIndices(mlir::Operation *root);

} // namespace spindle
