// Sines beside cosines.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle {

/// `math.sincos` below an operation becomes `math.sin` and `math.cos`.
void spellSincos(mlir::Operation *root);

} // namespace spindle
