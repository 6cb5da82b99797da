// Which indices the arithmetic of addresses gives whole.
#pragma once

#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// Addresses are computed modulo 2^32, or of fewer bits: right for sums and products of anything,
/// as low bits come from low bits. An index that is a number, too, must be known to fit, and so
/// must all it is made from.
class ExactIndices {
public:
  explicit ExactIndices(mlir::func::FuncOp kernel);

  /// Found once: the index may get other users, but no other operation may take its place.
  bool has(mlir::Value index);

  /// Whether all that a condition looks at is, and what it makes of it has at most 64 bits, which
  /// it gets.
  bool hasCondition(mlir::affine::AffineIfOp branch);

private:
  bool find(mlir::Value index);

  mlir::func::FuncOp function;
  ValueRanges ranges;
  llvm::DenseMap<mlir::Value, bool> known; // looked up only
};

/// Quotients and remainders, for which there are units for numbers only.
bool isDivision(mlir::Operation *op);

/// Whether bits of the result come from higher bits of the operands: on fewer bits the operation
/// means something else.
bool looksAtHighBits(mlir::Operation *op);

} // namespace spindle::hls
