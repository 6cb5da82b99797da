// How many iterations of a flattened nest lie between dependent accesses: what modulo scheduling
// asks of memory.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace spindle::hls {

/// `to` needs what `from` did (or undoes what `from` read) `distance` iterations of the flattened
/// nest before; 0: in the same iteration, after it in program order.
struct MemoryDependence {
  mlir::Operation *from, *to;
  unsigned distance;
  bool operator==(const MemoryDependence &) const = default;
};

/// All dependences between accesses of one array, at least one of them a store, within one run of a
/// perfect nest; for each pair in each direction the smallest distance over all iterations, also of
/// the loops around the nest. Exact for affine nests of up to a few million executed accesses with
/// known bounds; otherwise a bound from below, exact where the loops are rectangular. Accesses
/// that are not affine depend on each other in neighbouring iterations. What a loop that is said to
/// be independent (`hls.independent`) would carry is left out.
llvm::SmallVector<MemoryDependence> nestDependences(mlir::affine::AffineForOp outermost);

/// The same by running through all iterations; none where bounds or subscripts are not known or
/// more than `budget` accesses are executed.
std::optional<llvm::SmallVector<MemoryDependence>>
enumerateDependences(mlir::affine::AffineForOp outermost, uint64_t budget);

/// The same by minimising over the integer points of each pair, for nests of any size.
llvm::SmallVector<MemoryDependence> minimizeDependences(mlir::affine::AffineForOp outermost);

} // namespace spindle::hls
