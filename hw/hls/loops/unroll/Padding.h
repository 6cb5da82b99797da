// How many bubbles after short rows pay.
#pragma once

#include "hw/hls/loops/analysis/EstimateNest.h"

namespace spindle::hls {

struct Padding {
  int64_t least;   // iterations of the innermost loop; 1: no bubbles
  uint64_t cycles; // of the nest with them
};

/// Estimates a nest under growing least lengths of its innermost loop; the nest stays as it was.
Padding choosePadding(mlir::affine::AffineForOp outermost, const LoopCosts &costs);

/// Sets `hls.at_least` of the innermost loop, or removes it for 1.
void setLeastIterations(mlir::affine::AffineForOp innermost, int64_t least);

} // namespace spindle::hls
