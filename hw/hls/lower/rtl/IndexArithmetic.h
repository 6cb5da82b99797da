// Index arithmetic on as few bits as the values need.
#pragma once

#include "hw/hls/lower/IndexRanges.h"
#include "hw/hls/lower/rtl/Wires.h"

namespace spindle::hls {

/// Bits that hold an index: of two's complement where `range` has negative values, else unsigned.
struct Index {
  mlir::Value bits;
  IntegerRange range;
};

/// Sums and products with constants are modulo 2^w, w bits for the range of the result, so no more
/// bits are carried than it needs. Products with constants become shifted sums; quotients by
/// constants other than powers of two become products with a reciprocal that is exact over the
/// range.
class IndexArithmetic {
public:
  explicit IndexArithmetic(Wires &module) : wires(module) {}

  Index constant(int64_t value);
  Index add(Index a, Index b);
  Index multiply(Index a, int64_t factor);
  /// The product modulo 2^w, w the bits of `a`, as a sum of shifts.
  mlir::Value multiplyBits(mlir::Value a, int64_t factor);
  Index floorDivide(Index a, int64_t divisor);
  Index modulo(Index a, int64_t divisor);
  /// a < b, a >= b, … as arith names them for signed numbers.
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, Index a, Index b);
  Index choose(mlir::Value condition, Index whenHigh, Index whenLow);
  Index largest(mlir::AffineMap map, llvm::ArrayRef<Index> dimensions);
  Index smallest(mlir::AffineMap map, llvm::ArrayRef<Index> dimensions);
  Index evaluate(mlir::AffineExpr expression, llvm::ArrayRef<Index> dimensions);
  /// The same number in `bits` bits.
  mlir::Value resized(Index index, unsigned bits);
  /// Known to lie in `range`: fewer bits where that is narrower.
  Index narrowed(Index index, IntegerRange range);

private:
  Wires &wires;
};

} // namespace spindle::hls
