// Which quarter of a circle an angle lies in, and what is left of it, by operations of 64 bits.
#pragma once

#include "hw/hls/prepare/math/WideArithmetic.h"

namespace spindle::hls {

/// Bits of 64 in plain arithmetic.
struct Words {
  using Value = mlir::Value;
  mlir::ImplicitLocOpBuilder &b;

  Value number(uint64_t value) const {
    return mlir::arith::ConstantOp::create(b, b.getI64IntegerAttr(int64_t(value)));
  }
  Value left(Value a, Value by) const { return mlir::arith::ShLIOp::create(b, a, by); }
  Value left(Value a, unsigned by) const { return left(a, number(by)); }
  Value right(Value a, Value by) const { return mlir::arith::ShRUIOp::create(b, a, by); }
  Value right(Value a, unsigned by) const { return right(a, number(by)); }
  Value both(Value a, Value c) const { return mlir::arith::AndIOp::create(b, a, c); }
  Value either(Value a, Value c) const { return mlir::arith::OrIOp::create(b, a, c); }
  Value differing(Value a, Value c) const { return mlir::arith::XOrIOp::create(b, a, c); }
  Value sum(Value a, Value c) const { return mlir::arith::AddIOp::create(b, a, c); }
  Value difference(Value a, Value c) const { return mlir::arith::SubIOp::create(b, a, c); }
  Value product(Value a, Value c) const { return mlir::arith::MulIOp::create(b, a, c); }
  Value upperProduct(Value a, Value c) const {
    return mlir::arith::MulUIExtendedOp::create(b, a, c).getHigh();
  }
  Value isBelow(Value a, Value border) const {
    return mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::ult, a, border);
  }
  Value isBelow(Value a, uint64_t border) const { return isBelow(a, number(border)); }
  Value bit(Value a, unsigned position) const {
    return mlir::arith::TruncIOp::create(b, b.getI1Type(), right(a, position));
  }
  /// `a` moved up by `offset`, below 64, with the upper bits of `next` behind it.
  Value window(Value a, Value next, Value offset) const {
    Value rest = difference(number(63), offset);
    return either(left(a, offset), right(right(next, 1), rest));
  }
  /// The word of the table at place `at` + `from`; what lies behind it is the last one.
  template <typename Word>
  Value entry(const Word &wordOf, unsigned last, Value at, unsigned from) const {
    Value found = number(wordOf(last));
    for (unsigned n = last; n-- > from;)
      found = mlir::arith::SelectOp::create(b, isBelow(at, n + 1 - from), number(wordOf(n)), found);
    return found;
  }
};

struct QuarterTurns {
  mlir::Value quadrant; // i64
  mlir::Value rest;     // f64, radians from -π/4 to π/4
};

/// Of a magnitude of f32 or f64 and its bits, as i64 (hw/rtl/model/Sine.h).
QuarterTurns quarterTurns(const WideArithmetic &wide, mlir::Value magnitude, mlir::Value bits);

} // namespace spindle::hls
