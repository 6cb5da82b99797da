// Contents of constant arrays, written out one by one.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// What the module keeps beside its text (`dense_resource`), which upstream lowers only for types
/// of whole bytes, and what it lists where it is not zero (`sparse`) becomes `dense`.
/// Errors: bytes that the file does not have, contents of other kinds.
mlir::LogicalResult spellContents(mlir::ModuleOp module);

} // namespace spindle
