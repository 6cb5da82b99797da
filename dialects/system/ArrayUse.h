// Which arrays operations and kernels read and write, and how.
#pragma once

#include "dialects/system/System.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

namespace spindle::system {

struct ArrayUse {
  llvm::SetVector<mlir::Value> read, written;

  bool touches(mlir::Value array) const { return read.contains(array) || written.contains(array); }
};

/// What `op` and all in it do. Emits an error at effects on something that is no argument of the
/// function, allocation or constant array.
mlir::FailureOr<ArrayUse> useOf(mlir::Operation *op);

/// What a kernel does to one of its arguments, an array or a stream.
struct ArgumentUse {
  bool isRead = false, isWritten = false;
};
ArgumentUse useOf(FuncOp kernel, unsigned argument);

/// Whether a kernel surely stores every element of an array before it loads any: an affine store in
/// loops over all of its dimensions, under no condition, is before each load, or at the same
/// element just before it. `byInput`: of the part of an input, whose number is the first subscript
/// of every access.
bool rewritesAll(FuncOp kernel, unsigned argument, bool byInput = false);

/// Marks the elements of an array, row-major, that a kernel surely stores: by affine stores under
/// no condition, in loops with constant bounds, one for each dimension at most. `byInput`: of the
/// part of an input, as above.
void markStored(FuncOp kernel, unsigned argument, bool byInput, llvm::BitVector &elements);

/// The values that an affine load or store has as subscripts, one per dimension: null where one is
/// computed. Nothing of other operations.
llvm::SmallVector<mlir::Value> affineSubscripts(mlir::Operation *access);

/// The dimensions of an array in which every access of a kernel has the number of the input, its
/// argument `input`, as subscript: one bit per dimension.
llvm::SmallBitVector dimensionsByInput(FuncOp kernel, unsigned argument, unsigned input);

/// A local array: memref.alloc, memref.alloca or system.channel.
bool isLocalArray(mlir::Operation *op);

} // namespace spindle::system
