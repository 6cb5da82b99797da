// Clones of arrays.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// bufferization.clone becomes an array of its own, and a copy. (Whoever writes either of the two
/// leaves undefined what the other holds, so one array for both is as right.) Errors, at the place
/// of the clone: open extents with strides that a dense array does not have.
llvm::LogicalResult spellClones(mlir::ModuleOp module);

} // namespace spindle
