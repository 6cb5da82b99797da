// Between which numbers the integers of a program lie.
#pragma once

#include "hw/hls/ranges/IntegerRange.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace spindle::hls {

/// Ranges of values, each found once. Operations of arith say theirs themselves
/// (InferIntRangeInterface); affine ones are interval arithmetic, in which nothing wraps around;
/// bounds of affine loops are followed outwards. What an affine loop carries is a sum whose terms
/// and iterations are known, or lies in a range that an iteration does not leave. In a loop that
/// runs no iteration the variable has no value, and any range is right.
class ValueRanges {
public:
  /// As signed numbers.
  IntegerRange of(mlir::Value value);
  IntegerRange of(mlir::AffineExpr expression, mlir::ValueRange dims, mlir::ValueRange symbols);
  /// As bits, signed and unsigned.
  mlir::ConstantIntRanges bitsOf(mlir::Value value);
  /// What is known of a value from elsewhere.
  void set(mlir::Value value, IntegerRange range);
  void set(mlir::Value value, const mlir::ConstantIntRanges &bits);

private:
  std::optional<IntegerRange> ofAffine(mlir::Operation *op);
  std::optional<mlir::ConstantIntRanges> ofOperation(mlir::Operation *op, mlir::Value result);
  IntegerRange ofLoop(mlir::affine::AffineForOp loop);
  void findCarried(mlir::affine::AffineForOp loop);
  void findInvariant(mlir::affine::AffineForOp loop, llvm::ArrayRef<unsigned> positions);
  mlir::ConstantIntRanges ofBranches(mlir::OpResult result);
  IntegerRange ofMap(mlir::AffineMap map, mlir::ValueRange operands,
                     IntegerRange (*combine)(IntegerRange, IntegerRange));

  llvm::DenseMap<mlir::Value, mlir::ConstantIntRanges> known;
};

/// Of one value.
IntegerRange integerRangeOf(mlir::Value value);
IntegerRange integerRangeOf(mlir::AffineExpr expression, mlir::ValueRange dims,
                            mlir::ValueRange symbols);
/// Over operands of a map: its dimensions first, then its symbols.
IntegerRange integerRangeOf(mlir::AffineExpr expression, unsigned dimensions,
                            mlir::ValueRange operands);

} // namespace spindle::hls
