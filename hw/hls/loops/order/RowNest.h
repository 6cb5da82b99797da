// A loop over rows around a loop over the elements of one.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace spindle::hls {

/// What stands in the loop over rows around the loop over a row.
struct RowNest {
  mlir::affine::AffineForOp rows;
  mlir::scf::ForOp row;
  llvm::SmallVector<mlir::Operation *> bounds;    // what computes the bounds of a row: loads ahead
  llvm::SmallVector<mlir::Operation *> everytime; // index arithmetic, cheaper done again than kept
  llvm::SmallVector<mlir::Operation *>
      first; // the rest before the loop: in the first iteration of a row
  llvm::SmallVector<mlir::Operation *> last; // after it
  llvm::SetVector<mlir::Value> ahead;        // bounds, and what else of `bounds` is read
  llvm::SmallVector<mlir::Value> kept;       // results of `first` that are read after it
};

/// None where `loop` is no loop over rows, or something is in the way of making one loop of both.
std::optional<RowNest> rowNestOf(mlir::affine::AffineForOp loop);

} // namespace spindle::hls
