// Vectors of a program as the numbers that they hold.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle::vectors {

/// Each vector becomes one value for each of its elements, in row-major order; operations on
/// vectors become operations on elements, accesses to blocks of an array those to its elements,
/// with conditions where a block may leave the array or has a mask. Elements are added up in
/// their order, products of contractions are rounded before they are added. Nothing changes in
/// modules without vectors. Refuses, by a diagnostic at the operation concerned: scalable vectors,
/// those of more than `kMostElements` elements, arrays of vectors, vectors as arguments or results
/// of `top` (of all functions if empty), operations that have no meaning element by element.
mlir::LogicalResult unrollVectors(mlir::ModuleOp module, llvm::StringRef top = {});

inline constexpr int64_t kMostElements = 4096;

} // namespace spindle::vectors
