// The form of a kernel between `prepare` and scheduling.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spindle::hls {

/// One function over arrays (memref of static shape, row-major) and scalars (i1 to i64, index, f32,
/// f64). Its body holds
/// - constants, arith and math operations on scalars that hardware exists for, affine.apply,
///   min and max;
/// - local arrays: memref.alloc at the top level, memref.get_global of constants;
/// - affine.for with step 1, whose bounds are affine maps of loop variables and of values known
///   before the first loop;
/// - loops that data end, anywhere: scf.for over indices with step 1 that compares signed numbers,
///   scf.while whose condition is not always true;
///   Bounds that are known have 32 bits;
/// - affine.if, and scf.if where the condition is data; neither holds a loop;
/// - streams: arguments, read or written, and hls.make_stream at the top level; hls.read and
///   hls.write anywhere;
/// - affine.load and store, memref.load and store where an index is data.
/// Emits an error at the first operation that is anything else.
mlir::LogicalResult verifyLoopForm(mlir::func::FuncOp function);

/// Whether a loop runs the same iterations when its bounds are compared as signed numbers.
bool canCompareSigned(mlir::scf::ForOp loop);

} // namespace spindle::hls
