// A loop cut in two, the first a whole number of strips.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// Moves the iterations of `loop` (from 0, step 1) after the last full strip of `factor` into a
/// second loop after it, or into plain statements where that is one iteration. Carried values go
/// through both. Fails where the upper bound is a minimum.
mlir::LogicalResult splitRemainder(mlir::affine::AffineForOp loop, int64_t factor);

} // namespace spindle::hls
