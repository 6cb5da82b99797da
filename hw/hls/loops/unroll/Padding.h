// How many bubbles after short rows pay.
#pragma once

#include "hw/hls/loops/analysis/EstimateNest.h"

#include <limits>

namespace spindle::hls {

struct Padding {
  int64_t least;   // iterations of the innermost loop; 1: no bubbles
  uint64_t cycles; // of the nest with them
};

/// Estimates a nest, whose estimate as it is is given, under growing least lengths of its innermost
/// loop, as far as these can take fewer cycles than `below`; the nest stays as it was.
Padding choosePadding(const NamedEstimate &nest, const LoopCosts &costs,
                      uint64_t below = std::numeric_limits<uint64_t>::max());

/// Sets `hls.at_least` of the innermost loop, or removes it for 1.
void setLeastIterations(mlir::affine::AffineForOp innermost, int64_t least);

} // namespace spindle::hls
