// Exponential function of a fixed-point number: the part that exp and pow of the hardware share.
// Bit for bit what hw/rtl/elementary/spindle_exp_fixed.sv computes; docs/rationale/units.md derives
// the error bound.
#pragma once

#include "hw/rtl/model/Logarithms.h"

namespace spindle::hls {

using UnsignedWide = unsigned __int128;

/// Sizes of the fixed-point numbers that go with a format of IEEE 754.
template <int exponent, int fraction> struct FixedFormat {
  static constexpr int exponentBits = exponent, fractionBits = fraction;
  static constexpr int precision = fraction + 1;
  static constexpr int bias = (1 << (exponent - 1)) - 1;
  static constexpr uint64_t infinity = ((uint64_t(1) << exponent) - 1) << fraction;
  static constexpr uint64_t nan = infinity | uint64_t(1) << (fraction - 1);
  static constexpr uint64_t signBit = uint64_t(1) << (exponent + fraction);

  static constexpr int argument = precision + 14; // fraction bits of what exp takes
  static constexpr int expSteps = (argument + 1) / 2;
  static constexpr int twoBits = argument + exponent + 1; // fraction bits of ln 2

  static constexpr int residue = precision + 21;     // fraction bits of what remains of a logarithm
  static constexpr int logSteps = (residue + 1) / 2; // its weight is 2^-logSteps in the end
  static constexpr int sum = residue + logSteps;     // fraction bits of the logarithm
  static constexpr int tail =
      residue + precision - logSteps; // and of the part below, by its weight
};

/// The number of the format nearest to value * 2^power, halfway the even one; `value` has
/// `fractionBits` fraction bits and lies from 1 to 4.
template <class Format> uint64_t roundedNumber(UnsignedWide value, int fractionBits, int power) {
  const bool two = value >> (fractionBits + 1) != 0;
  int field = power + Format::bias + two;
  int shift = fractionBits + two - Format::fractionBits;
  if (field < 1) {
    shift += 1 - field;
    field = 1;
  }
  if (shift > 127)
    return 0;
  uint64_t kept = uint64_t(value >> shift);
  const UnsignedWide rest = value & ((UnsignedWide(1) << shift) - 1), half = UnsignedWide(1)
                                                                             << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  if (field == 1 && kept >> Format::fractionBits == 0)
    return kept; // subnormal
  // A carry out of the significand is the next power of two.
  const uint64_t number =
      (uint64_t(field) << Format::fractionBits) + (kept - (uint64_t(1) << Format::fractionBits));
  return number < Format::infinity ? number : Format::infinity;
}

/// exp(argument / 2^Format::argument), |argument| < 2^(exponent bits + Format::argument).
template <class Format> uint64_t expOfFixed(Wide argument) {
  constexpr int f = Format::argument, steps = Format::expSteps;
  // power = floor(argument / ln 2) or one less, by five fraction bits and log2(e) = 47274 / 2^15.
  const Wide power = ((argument >> (f - 5)) * 47274 - (1 << 15)) >> 20;
  constexpr int extra = Format::exponentBits + 1;
  Wide rest =
      (argument * (Wide(1) << extra) - power * logarithmOfTwo.bits(Format::twoBits)) >> extra;
  // exp(rest) = product of factors (1 + 2^-i), each with its logarithm taken from rest.
  Wide factor = Wide(1) << f;
  for (int i = 1; i <= steps; ++i) {
    const Wide logarithm = logarithmsAbove[i - 1].bits(f);
    if (rest >= logarithm) {
      rest -= logarithm;
      factor += factor >> i;
    }
  }
  // And 1 + rest for what is left, below 2^-steps.
  const Wide value = factor + (((factor >> steps) * rest) >> (f - steps));
  return roundedNumber<Format>(UnsignedWide(value), f, int(power));
}

} // namespace spindle::hls
