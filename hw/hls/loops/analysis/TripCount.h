// How often a loop runs at most.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace spindle::hls {

/// The most iterations a loop of step 1 can run, none where nothing bounds it.
std::optional<int64_t> largestTripCount(mlir::affine::AffineForOp loop);

} // namespace spindle::hls
