// Loops of the loop form: affine.for, and those that data end, scf.while and scf.for, whose bounds
// are data.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle::hls {

/// Whether there is a loop in `op`, which is not counted itself.
bool holdsLoop(mlir::Operation *op);

/// Whether there is one in it that data end. Passes that reorder or copy accesses leave such
/// functions alone.
bool holdsOpenLoop(mlir::Operation *op);

} // namespace spindle::hls
