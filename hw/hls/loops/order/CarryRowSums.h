// Sums that a loop over a row keeps in a word of memory.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace spindle::hls {

/// A word that every iteration of `row` reads and then writes, and nothing else in it touches, is
/// carried instead: read before the loop and written after it, whether or not the row is empty. A
/// store just before the loop gives the first value and goes away. Returns the loop with what it
/// carries. Requires subscripts that are constants or variables of loops around `row`, in range.
mlir::scf::ForOp carryRowSums(mlir::scf::ForOp row, mlir::IRRewriter &rewriter);

} // namespace spindle::hls
