#include "hw/hls/prepare/math/QuarterTurns.h"

#include "hw/rtl/model/Sine.h"

using namespace mlir;

namespace spindle::hls {

static QuarterTurns ofNarrow(const WideArithmetic &wide, Value magnitude, Value bits) {
  ImplicitLocOpBuilder &b = wide.b;
  Words words{b};
  Value exponent = words.right(bits, 23);
  Value mantissa = words.either(words.both(bits, words.number(0x7fffff)), words.number(0x800000));
  Value place = words.difference(exponent, words.number(120));
  Value word = words.right(place, 5), offset = words.both(place, words.number(31));
  auto pair = [](unsigned n) { return uint64_t(kTwoOverPi[n]) << 32 | kTwoOverPi[n + 1]; };
  constexpr unsigned last = std::size(kTwoOverPi) - 2;
  Value upper = words.entry(pair, last, word, 0), lower = words.entry(pair, last, word, 2);
  Value first = words.window(upper, lower, offset);
  Value second = words.right(words.left(lower, offset), 32);
  Value product =
      words.sum(words.product(mantissa, first), words.right(words.product(mantissa, second), 32));
  Value quadrant = words.right(words.sum(product, words.number(uint64_t(1) << 61)), 62);
  Value rest = words.difference(product, words.left(quadrant, 62));
  Value radians =
      wide.times(arith::SIToFPOp::create(b, b.getF64Type(), rest), wide.number(kRadians));
  Value isReduced = words.isBelow(exponent, kSineIsReduced);
  return {wide.select(isReduced, words.number(0), quadrant),
          wide.select(isReduced, arith::ExtFOp::create(b, b.getF64Type(), magnitude), radians)};
}

static QuarterTurns ofWide(const WideArithmetic &wide, Value magnitude, Value bits) {
  ImplicitLocOpBuilder &b = wide.b;
  Words words{b};
  uint64_t one = uint64_t(1) << 52;
  Value exponent = words.right(bits, 52);
  Value mantissa = words.either(words.both(bits, words.number(one - 1)), words.number(one));
  Value place = words.difference(exponent, words.number(1013));
  Value word = words.right(place, 6), offset = words.both(place, words.number(63));
  auto wordOf = [](unsigned n) { return kTwoOverPiWide[n]; };
  constexpr unsigned last = std::size(kTwoOverPiWide) - 1;
  SmallVector<Value> digits;
  for (unsigned n = 0; n < 4; ++n)
    digits.push_back(words.entry(wordOf, last - 3 + n, word, n));
  auto window = [&](unsigned n) { return words.window(digits[n], digits[n + 1], offset); };
  auto middle = arith::MulUIExtendedOp::create(b, mantissa, window(1));
  Value low = words.sum(middle.getLow(), words.upperProduct(mantissa, window(2)));
  Value carry =
      arith::ExtUIOp::create(b, b.getI64Type(), words.isBelow(low, Value(middle.getLow())));
  Value high = words.sum(words.sum(words.product(mantissa, window(0)), middle.getHigh()), carry);
  Value quadrant = words.right(words.sum(high, words.number(uint64_t(1) << 61)), 62);
  Value rest = words.difference(high, words.left(quadrant, 62));
  // The magnitude but for the last of 126 bits; all of its digits that f64 has follow its zeros.
  Value sign = arith::ShRSIOp::create(b, rest, words.number(63));
  high = words.differing(rest, sign);
  low = words.differing(low, sign);
  Value zeros = math::CountLeadingZerosOp::create(b, high);
  Value scaled = words.upperProduct(words.window(high, low, zeros), words.number(kHalfPi));
  Value whole = arith::BitcastOp::create(b, b.getI64Type(),
                                         arith::UIToFPOp::create(b, b.getF64Type(), scaled));
  Value power = words.left(words.sum(zeros, words.number(61)), 52);
  Value radians = words.either(words.difference(whole, power), words.left(sign, 63));
  Value isReduced = words.isBelow(exponent, kSineIsReducedWide);
  return {wide.select(isReduced, words.number(0), quadrant),
          wide.select(isReduced, magnitude, arith::BitcastOp::create(b, b.getF64Type(), radians))};
}

QuarterTurns quarterTurns(const WideArithmetic &wide, Value magnitude, Value bits) {
  return magnitude.getType().isF64() ? ofWide(wide, magnitude, bits)
                                     : ofNarrow(wide, magnitude, bits);
}

} // namespace spindle::hls
