// Affine loops and conditions that hand tensors on, as those of scf.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// affine.for and affine.if with a tensor among their results, and what is affine within them,
/// become scf, memref and arith: upstream's bufferisation does not know them.
void spellAffine(mlir::ModuleOp module);

} // namespace spindle
