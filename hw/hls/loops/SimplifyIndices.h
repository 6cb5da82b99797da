// Index arithmetic put back into the maps of accesses, bounds and guards.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// After a transformation has replaced induction variables by affine.apply: composes these into the
/// maps of affine loads, stores, bounds and conditions, folds constants, takes the branch of every
/// affine.if whose condition is always true or never, drops conditions that always hold, selects
/// by comparisons of indices with one result, and index arithmetic that nobody reads. What the
/// function computes stays the same.
void simplifyIndices(mlir::func::FuncOp function);

} // namespace spindle::hls
