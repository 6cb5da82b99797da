// How large a body may become.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// Operations of one loop body after unrolling: each becomes hardware of its own, and what is
/// synthesised within a minute has some tens of thousands.
constexpr uint64_t kMostUnrolled = 1 << 15;

/// Refuses, at the loop, so many copies of its body if they have more operations than those.
mlir::LogicalResult checkUnrolledSize(mlir::affine::AffineForOp loop, uint64_t copies);

} // namespace spindle::hls
