// math.sin and math.cos of f32 by the units that there are, as hw/rtl/model/Sine.h defines them.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/math/WideArithmetic.h"
#include "hw/rtl/model/Sine.h"

#include <limits>

using namespace mlir;

namespace spindle::hls {

namespace {

/// Bits of 64 in plain arithmetic.
struct Words {
  ImplicitLocOpBuilder &b;

  Value number(uint64_t value) const {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(int64_t(value)));
  }
  Value left(Value a, Value by) const { return arith::ShLIOp::create(b, a, by); }
  Value right(Value a, Value by) const { return arith::ShRUIOp::create(b, a, by); }
  Value right(Value a, unsigned by) const { return right(a, number(by)); }
  Value both(Value a, Value c) const { return arith::AndIOp::create(b, a, c); }
  Value either(Value a, Value c) const { return arith::OrIOp::create(b, a, c); }
  Value sum(Value a, Value c) const { return arith::AddIOp::create(b, a, c); }
  Value difference(Value a, Value c) const { return arith::SubIOp::create(b, a, c); }
  Value product(Value a, Value c) const { return arith::MulIOp::create(b, a, c); }
  Value isBelow(Value a, uint64_t border) const {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, a, number(border));
  }
  Value bit(Value a, unsigned position) const {
    return arith::TruncIOp::create(b, b.getI1Type(), right(a, position));
  }
  /// Two neighbours of `kTwoOverPi`, the first of which has the number `at` + `from`.
  Value pairAt(Value at, unsigned from) const {
    constexpr unsigned last = std::size(kTwoOverPi) - 2;
    auto pair = [](unsigned n) { return uint64_t(kTwoOverPi[n]) << 32 | kTwoOverPi[n + 1]; };
    Value found = number(pair(last));
    for (unsigned n = last; n-- > from;)
      found = arith::SelectOp::create(b, isBelow(at, n + 1 - from), number(pair(n)), found);
    return found;
  }
};

struct Reduced {
  Value quadrant; // i64
  Value rest;     // f64
};

/// Of a magnitude's bits.
Reduced reduce(const WideArithmetic &wide, Value magnitude, Value bits) {
  ImplicitLocOpBuilder &b = wide.b;
  Words words{b};
  Value exponent = words.right(bits, 23);
  Value mantissa = words.either(words.both(bits, words.number(0x7fffff)), words.number(0x800000));
  Value place = words.difference(exponent, words.number(120));
  Value word = words.right(place, 5), offset = words.both(place, words.number(31));
  Value upper = words.pairAt(word, 0), lower = words.pairAt(word, 2);
  Value rest63 = words.difference(words.number(63), offset);
  Value first = words.either(words.left(upper, offset), words.right(words.right(lower, 1), rest63));
  Value second = words.right(words.left(lower, offset), 32);
  Value product =
      words.sum(words.product(mantissa, first), words.right(words.product(mantissa, second), 32));
  Value quadrant = words.right(words.sum(product, words.number(uint64_t(1) << 61)), 62);
  Value rest = words.difference(product, words.left(quadrant, words.number(62)));
  Value radians =
      wide.times(arith::SIToFPOp::create(b, b.getF64Type(), rest), wide.number(kRadians));
  Value isReduced = words.isBelow(exponent, kSineIsReduced);
  return {wide.select(isReduced, words.number(0), quadrant),
          wide.select(isReduced, arith::ExtFOp::create(b, b.getF64Type(), magnitude), radians)};
}

/// One polynomial for both functions: which coefficients it has is a matter of wires.
Value polynomialOf(const WideArithmetic &wide, Value isCosine, Value square) {
  Value sum;
  for (auto [cosine, sine] : llvm::reverse(llvm::zip_equal(kCosinePolynomial, kSinePolynomial))) {
    Value coefficient = wide.select(isCosine, wide.number(cosine), wide.number(sine));
    sum = sum ? wide.plus(wide.times(sum, square), coefficient) : coefficient;
  }
  return sum;
}

Value turned(const WideArithmetic &wide, Value x, unsigned turns, bool isOdd) {
  ImplicitLocOpBuilder &b = wide.b;
  Words words{b};
  Type narrow = b.getF32Type();
  Value magnitude = math::AbsFOp::create(b, x);
  Value bits = arith::ExtUIOp::create(b, b.getI64Type(),
                                      arith::BitcastOp::create(b, b.getI32Type(), magnitude));
  auto [quadrant, rest] = reduce(wide, magnitude, bits);
  if (turns > 0)
    quadrant = words.sum(quadrant, words.number(turns));
  Value square = wide.times(rest, rest), isCosine = words.bit(quadrant, 0);
  Value factor = wide.select(isCosine, wide.number(1), rest);
  Value sum = wide.times(square, polynomialOf(wide, isCosine, square));
  Value result = arith::TruncFOp::create(b, narrow, wide.plus(factor, wide.times(factor, sum)));
  Value isNegative = words.bit(quadrant, 1);
  if (isOdd) {
    Value word = arith::BitcastOp::create(b, b.getI32Type(), x);
    Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
    Value sign = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, word, zero);
    isNegative = arith::XOrIOp::create(b, isNegative, sign);
  }
  Value signedResult = wide.select(isNegative, arith::NegFOp::create(b, result), result);
  Value none =
      arith::ConstantOp::create(b, b.getF32FloatAttr(std::numeric_limits<float>::quiet_NaN()));
  return wide.select(words.isBelow(bits, 0x7f800000), signedResult, none);
}

template <typename Op, unsigned turns, bool isOdd> struct ExpandSine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, turned({b}, op.getOperand(), turns, isOdd));
    return success();
  }
};

} // namespace

void addSinePatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandSine<math::SinOp, 0, true>, ExpandSine<math::CosOp, 1, false>>(
      patterns.getContext());
}

} // namespace spindle::hls
