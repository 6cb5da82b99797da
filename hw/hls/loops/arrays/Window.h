// What neighbouring iterations of a nest read again: windows over rows and columns of an array.
#pragma once

#include "hw/hls/loops/analysis/LoopCosts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/MapVector.h"

namespace spindle::hls {

/// Loads of one array whose subscripts differ in constants along the rows and columns of a nest:
/// its two innermost loops.
struct Window {
  struct Tap {
    mlir::Operation *load;
    int64_t row, column; // constants of the subscripts
  };

  mlir::Value array;
  int columnDimension = -1, rowDimension = -1; // of the array; -1: no loop over rows
  llvm::SmallVector<Tap> taps;

  int64_t lowestRow() const;
  int64_t highestRow() const;
  int64_t lowestColumn() const;
  int64_t highestColumn() const;
  int64_t rows() const { return highestRow() - lowestRow(); }          // more than one
  int64_t columns() const { return highestColumn() - lowestColumn(); } // more than one
  /// Words that are read.
  int64_t words() const;
  /// Iterations that the values of a row wait at most.
  int64_t delayOf(int64_t row) const;
};

/// A perfect nest whose innermost loops have constant bounds, and what it reads.
struct WindowNest {
  llvm::SmallVector<mlir::affine::AffineForOp> loops; // outermost first
  mlir::affine::AffineForOp columns, rows;            // the innermost; null: no loop over rows
  llvm::MapVector<mlir::Value, int64_t> loads;        // by array
  llvm::SmallVector<Window> windows;

  int64_t mostRows() const;
  int64_t mostColumns() const;
};

/// None where the nest cannot be lengthened. Windows have more words than the memory has ports.
std::optional<WindowNest> findWindows(llvm::ArrayRef<mlir::affine::AffineForOp> loops,
                                      int64_t ports);

/// Whether reading each word once takes fewer cycles than the nest as it is, and than copies of its
/// arrays.
bool isFaster(const WindowNest &nest, const LoopCosts &costs);

} // namespace spindle::hls
