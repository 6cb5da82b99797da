// Operands that find the mistakes floating-point units make: special values, and pairs drawn from a
// mixture of distributions.
#pragma once

#include "core/support/CounterRandom.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace spindle::rtl {

/// A binary interchange format of IEEE 754; numbers are held in the low bits of 64.
struct FloatFormat {
  int exponent;
  int fraction;
  int size() const { return exponent + fraction + 1; }
  int bias() const { return (1 << (exponent - 1)) - 1; }
  uint64_t fractionMask() const { return (uint64_t(1) << fraction) - 1; }
  uint64_t signBit() const { return uint64_t(1) << (size() - 1); }
  uint64_t infinity() const { return ((uint64_t(1) << exponent) - 1) << fraction; }
  /// The NaN that hardware makes.
  uint64_t canonicalNan() const { return infinity() | uint64_t(1) << (fraction - 1); }
  bool isNan(uint64_t number) const { return (number & ~signBit()) > infinity(); }
  /// All NaNs as one.
  uint64_t canonical(uint64_t number) const { return isNan(number) ? canonicalNan() : number; }
  /// `field` is clamped to what the format holds.
  uint64_t pack(bool sign, int field, uint64_t bits) const {
    field = field < 0 ? 0 : field >= 1 << exponent ? (1 << exponent) - 1 : field;
    return (sign ? signBit() : 0) | uint64_t(field) << fraction | (bits & fractionMask());
  }
};
inline constexpr FloatFormat f32Format{8, 23};
inline constexpr FloatFormat f64Format{11, 52};

/// Zeros, ends of the subnormal and normal ranges, ones and their neighbours, powers of two around
/// the fraction's width, infinities, quiet and signalling NaNs; both signs of each.
inline std::vector<uint64_t> specialValues(FloatFormat format) {
  const int one = format.bias(), top = (1 << format.exponent) - 1, f = format.fraction;
  const uint64_t all = format.fractionMask(), half = uint64_t(1) << (f - 1);
  std::vector<uint64_t> values;
  for (bool sign : {false, true}) {
    for (int field : {0, 1, 2, one - 1, one, one + 1, one + f, one + f + 1, one - f, one - f - 1,
                      top - 2, top - 1, top})
      for (uint64_t bits : {uint64_t(0), uint64_t(1), all, half})
        values.push_back(format.pack(sign, field, bits));
    values.push_back(format.pack(sign, 0, 2));
    values.push_back(format.pack(sign, 0, half >> 1));
    values.push_back(format.pack(sign, one, all - 1));
    values.push_back(format.pack(sign, one, half + 1));
    values.push_back(format.pack(sign, one / 2, 0));
    values.push_back(format.pack(sign, one + one / 2, all));
  }
  return values;
}

struct OperandPair {
  uint64_t a, b;
};

/// Pairs of operands, each drawn from one of: uniform bits; close exponents; neighbours that nearly
/// cancel; subnormal operands; few bits set at the ends of the fraction, which makes halfway cases;
/// products about the least normal number; products and sums about the greatest number; a special
/// value.
class OperandPairs {
public:
  OperandPairs(FloatFormat operandFormat, uint64_t seed)
      : format(operandFormat), random(seed), specials(specialValues(operandFormat)) {}

  OperandPair next() {
    const int f = format.fraction, top = (1 << format.exponent) - 1;
    const int field = int(random.below(uint32_t(top)));
    switch (random.below(8)) {
    case 0:
      return {bits() & mask(), bits() & mask()};
    case 1:
      return {number(field), number(field + around(f + 4))};
    case 2: { // neighbours
      uint64_t a = number(field),
               b = a + uint64_t(around(3)) * (uint64_t(1) << random.below(uint32_t(f)));
      return {a & mask(), (b ^ (bits() & format.signBit())) & mask()};
    }
    case 3: {
      OperandPair pair{number(0) >> 1 >> random.below(uint32_t(f)),
                       number(random.below(2) ? 0 : around(f) + f)};
      return random.below(2) ? pair : OperandPair{pair.b, pair.a};
    }
    case 4:
      return {sparse(field), sparse(random.below(2) ? field + around(f + 2)
                                                    : 2 * format.bias() - field + around(3))};
    case 5:
      return {number(field), number(format.bias() - field + around(f + 4))};
    case 6:
      return random.below(2)
                 ? OperandPair{number(field), number(format.bias() + top - field + around(4))}
                 : OperandPair{number(top - 1), number(top - 1 + around(2))};
    default: {
      OperandPair pair{specials[random.below(uint32_t(specials.size()))],
                       random.below(2) ? number(field) : sparse(field)};
      return random.below(2) ? pair : OperandPair{pair.b, pair.a};
    }
    }
  }

  uint64_t bits() { return uint64_t(random()) << 32 | random(); }
  CounterRandom &source() { return random; }

private:
  uint64_t mask() const { return format.signBit() * 2 - 1; }
  int around(int distance) { return int(random.below(uint32_t(2 * distance + 1))) - distance; }
  uint64_t number(int field) { return format.pack(random() & 1, field, bits()); }
  /// Few ones, or few zeros, at the upper and lower ends of the fraction.
  uint64_t sparse(int field) {
    const int f = format.fraction;
    uint64_t low = random.below(8), high = uint64_t(random.below(16)) << (f - 4);
    uint64_t middle = uint64_t(random.below(4)) << random.below(uint32_t(f - 2));
    uint64_t fraction = random.below(2) ? low | high : high | middle;
    return format.pack(random() & 1, field, random.below(4) ? fraction : ~fraction);
  }

  FloatFormat format;
  CounterRandom random;
  std::vector<uint64_t> specials;
};

inline uint64_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }
inline uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }
inline float floatOf(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
inline double doubleOf(uint64_t bits) { return std::bit_cast<double>(bits); }

} // namespace spindle::rtl
