// What one iteration of a loop leaves for a later one.
#pragma once

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// `from` in one iteration of a loop and `to` in a later one, all loops around being in the same
/// iteration, may touch one element, and one of them stores. Components are the distances in the
/// common loops, outermost first; none where they could not be analysed.
struct CarriedDependence {
  mlir::Operation *from, *to;
  llvm::SmallVector<mlir::affine::DependenceComponent, 2> components;

  bool isKnown() const { return !components.empty(); }
  /// The least distance in a loop, none where unbounded or unknown.
  std::optional<int64_t> least(mlir::affine::AffineForOp loop) const;
};

/// All dependences that `loop` carries. Accesses of different arrays are independent. Indices that
/// are data and accesses in else branches give dependences that are not known.
llvm::SmallVector<CarriedDependence> carriedDependences(mlir::affine::AffineForOp loop);

} // namespace spindle::hls
