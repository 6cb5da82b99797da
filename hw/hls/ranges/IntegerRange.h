// Interval arithmetic on integers and affine expressions.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace spindle::hls {

/// All integers from `least` to `most`; an end at the limit of int64_t stands for none.
struct IntegerRange {
  int64_t least = INT64_MIN, most = INT64_MAX;

  bool operator==(const IntegerRange &) const = default;
  bool isKnown() const { return least != INT64_MIN && most != INT64_MAX; }
  bool isSingle() const { return isKnown() && least == most; }
  bool within(int64_t from, int64_t to) const { return from <= least && most <= to; }
  bool contains(int64_t value) const { return least <= value && value <= most; }
};

/// The least ranges that hold all results on numbers of the ranges. An end that int64_t cannot hold
/// is none.
IntegerRange operator+(IntegerRange a, IntegerRange b);
IntegerRange operator-(IntegerRange a, IntegerRange b);
IntegerRange operator*(IntegerRange a, IntegerRange b);
IntegerRange minimum(IntegerRange a, IntegerRange b);
IntegerRange maximum(IntegerRange a, IntegerRange b);
/// Of all numbers of both.
IntegerRange hull(IntegerRange a, IntegerRange b);
/// Of the numbers of both; `a` where there are none.
IntegerRange common(IntegerRange a, IntegerRange b);

/// Bits of two's complement for all numbers of the range, or of an unsigned number where it has no
/// negative ones; at least 1, 64 where an end is not known.
unsigned bitsFor(IntegerRange range);
/// Bits of two's complement, with a sign bit always.
unsigned signedBitsFor(IntegerRange range);

/// The values of an affine expression over such dimensions and symbols: perhaps more than the
/// values it really takes. Divisors that are not positive give what is not known.
IntegerRange rangeOf(mlir::AffineExpr expression, llvm::ArrayRef<IntegerRange> dimensions,
                     llvm::ArrayRef<IntegerRange> symbols = {});

} // namespace spindle::hls
