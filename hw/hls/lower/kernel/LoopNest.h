// A nest of the loop form, as a pipeline sees it: levels, bounds, sizes.
#pragma once

#include "hw/hls/ranges/IntegerRange.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// The loops that become one pipeline, from the outside in: those of a perfect nest through which
/// carried values go unchanged; empty where `outermost` is no such nest.
llvm::SmallVector<mlir::affine::AffineForOp> pipelinedLoops(mlir::affine::AffineForOp outermost);

/// The bounds of nested loops as maps of `operands` (values from outside of the nest), then the
/// counters outside.
struct NestBounds {
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::AffineMap> lower, upper; // per level; several results: largest, smallest
  llvm::SmallVector<int64_t> atLeast;              // iterations that a level takes at least
};

NestBounds boundsOf(llvm::ArrayRef<mlir::affine::AffineForOp> loops);

/// Values of the counters, given those of the operands. A counter of a level that never runs has
/// the range of its lower bound.
llvm::SmallVector<IntegerRange> counterRanges(const NestBounds &bounds,
                                              llvm::ArrayRef<IntegerRange> operands);

/// Whether a level may run fewer iterations than `atLeast` says.
llvm::SmallVector<bool> mayBubble(const NestBounds &bounds, llvm::ArrayRef<IntegerRange> operands);

/// Iterations of the flattened nest, bubbles included, for given values of the operands. Takes time
/// in proportion to the iterations of all levels but the innermost.
int64_t countIterations(const NestBounds &bounds, llvm::ArrayRef<int64_t> operands);

} // namespace spindle::hls
