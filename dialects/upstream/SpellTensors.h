// Operations on tensors that upstream's bufferisation does not know, as others that it does.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Whether an operation makes a tensor, or a function takes one.
bool usesTensors(mlir::ModuleOp module);

/// tensor.gather and tensor.bitcast become linalg.generic, tensor.reshape collapsing and expanding,
/// linalg.pack and linalg.unpack become padding, reshaping and transposing. Those of unknown shape
/// stay. Arrays that become tensors without `restrict` are copied. Affine loops become those of scf
/// (SpellAffine.h).
void spellTensors(mlir::ModuleOp module);

} // namespace spindle
