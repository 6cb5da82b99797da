// Loops of the loop form: affine.for, and those that data end, scf.while and scf.for, whose bounds
// are data.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle::hls {

/// Whether there is a loop in `op`, which is not counted itself.
bool holdsLoop(mlir::Operation *op);

/// Whether there is one in it that data end.
bool holdsOpenLoop(mlir::Operation *op);

/// Whether data end a loop in `op` or tokens of streams keep their order there: passes that reorder
/// or copy accesses leave such functions alone.
bool hasFixedOrder(mlir::Operation *op);

} // namespace spindle::hls
