// Scalars that cross from one task to the next.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

struct Crossings {
  llvm::SmallVector<mlir::Value> results; // of the function, kept in these arrays, in order
  // Looked up only. Of values that a nest carries and does not start from where it stands:
  llvm::DenseMap<mlir::Value, mlir::Value> seen; // what an iteration has: the first one another
  llvm::DenseSet<mlir::Operation *> starts;      // reads of what the first one has
};

/// Makes memory the only way from one task of a kernel to another. A task is a perfect nest, or a
/// run of operations between loops, in the body of the function or of a loop that is no perfect
/// nest. Values that such a task makes for another, values carried by loops that are no perfect
/// nests, those that a nest starts from unless they are invariant (constants, arguments), and
/// results of the function go through arrays of rank 0, which become registers.
Crossings keepCrossingsInRegisters(mlir::func::FuncOp function);

/// Whether `value` is the same through the whole run: constants, arguments, casts of these.
bool isInvariant(mlir::Value value);

} // namespace spindle::hls
