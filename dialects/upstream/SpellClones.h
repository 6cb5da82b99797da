// Clones of arrays.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// bufferization.clone becomes an array of its own, and a copy. (Whoever writes either of the two
/// leaves undefined what the other holds, so one array for both is as right.)
void spellClones(mlir::ModuleOp module);

} // namespace spindle
