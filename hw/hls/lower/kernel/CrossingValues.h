// Scalars that cross from one task to the next.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// Makes memory the only way from one task of a kernel to another. A task is a perfect nest, or a
/// run of operations between loops, in the body of the function or of a loop that is no perfect
/// nest. Values that such a task makes for another, values carried by loops that are no perfect
/// nests, those that a nest starts from unless they stand still (constants, arguments), and results
/// of the function go through arrays of rank 0, which become registers. Results of the function are
/// kept in those that are returned, in order.
llvm::SmallVector<mlir::Value> keepCrossingsInRegisters(mlir::func::FuncOp function);

/// Whether `value` is the same through the whole run: constants, arguments, casts of these.
bool standsStill(mlir::Value value);

} // namespace spindle::hls
