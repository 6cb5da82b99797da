// MLIR's canonicalizer without what changes results: two roundings made one, numbers cut to fewer
// bits and taken for whole again, what it concludes of loops that never run and of remainders
// (dialects/affine), and of the shapes of tensors that a loop carries.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace spindle {

/// The name of upstream's rule that takes each iteration of a loop to hand on a tensor of the shape
/// that the first one begins with.
inline constexpr char trustsFirstShape[] = "(anonymous namespace)::ForOpTensorCastFolder";
/// Removes loops that run at most once, but counts in the type of their counter, where -8 to 120 of
/// 8 bits is none.
inline constexpr char countsInItsType[] = "(anonymous namespace)::SimplifyTrivialLoops";

std::unique_ptr<mlir::Pass> createExactCanonicalizer();

} // namespace spindle
