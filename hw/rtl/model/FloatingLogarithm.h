// Natural logarithm with more digits than a format has: the part that log and pow of the hardware
// share. Bit for bit what hw/rtl/elementary/spindle_log_floating.sv computes;
// docs/rationale/iterative-units.md derives the error bound.
#pragma once

#include "hw/rtl/model/FixedExp.h"

namespace spindle::hls {

inline int zerosAbove(UnsignedWide x, int width) {
  int zeros = 0;
  for (int bit = width - 1; bit >= 0 && !(x >> bit & 1); --bit)
    ++zeros;
  return zeros;
}

/// A finite number but zero: significand * 2^(power - fraction bits), with a leading one.
struct Normal {
  uint64_t significand;
  int power;
};
template <class Format> Normal normal(uint64_t magnitude) {
  const int field = int(magnitude >> Format::fractionBits);
  uint64_t significand = magnitude & ((uint64_t(1) << Format::fractionBits) - 1);
  if (field != 0)
    return {significand | uint64_t(1) << Format::fractionBits, field - Format::bias};
  const int zeros = zerosAbove(significand, Format::precision);
  return {significand << zeros, 1 - zeros - Format::bias};
}

/// A natural logarithm of size digits * 2^(top - residue bits), from 2^(top - 1) to 2^top.
struct FloatingLogarithm {
  bool negative;
  UnsignedWide digits;
  int top;
};

/// ln(x). The significand, from 0.75 to 1.5, is multiplied by factors 1 ± 2^-i until it is 1 + r
/// with |r| about 2^-steps at most; u = 2^i r keeps its size meanwhile. ln(1 + r) = r - r^2/2.
template <class Format> FloatingLogarithm logarithm(Normal x) {
  constexpr int f = Format::fractionBits, g = Format::residue, steps = Format::logSteps;
  const bool large = x.significand >> (f - 1) & 1; // 1.5 and more
  const int power = x.power + large;
  Wide u = large ? (Wide(x.significand) - (Wide(2) << f)) * (Wide(1) << (g - f + 1))
                 : (Wide(x.significand) - (Wide(1) << f)) * (Wide(1) << (g - f + 2));
  Wide sum =
      power * logarithmOfTwo.bits(Format::twoBits) * (Wide(1) << (Format::sum - Format::twoBits));
  bool touched = power != 0;
  const Wide one = Wide(1) << g;
  for (int i = 2; i < steps; ++i) {
    const Wide halves = u >> (g - 1);
    if (halves >= 1) {
      u -= one + (u >> i);
      sum += logarithmsBelow[i - 1].bits(Format::sum);
    } else if (halves <= -2) {
      u += one + (u >> i);
      sum -= logarithmsAbove[i - 1].bits(Format::sum);
    }
    touched |= halves >= 1 || halves <= -2;
    u *= 2;
  }
  const Wide high = u >> steps;
  const Wide rest =
      u * (Wide(1) << (Format::tail - g)) - ((high * high) >> (g + 1 - Format::precision));
  // Next to 1 the logarithm is all in the rest, and keeps the digits below those of the sum.
  const int below = Format::precision - steps;
  const Wide total = touched ? sum + (rest >> below) : rest;
  constexpr int width = Format::exponentBits - 1 + Format::sum;
  const UnsignedWide magnitude = UnsignedWide(total < 0 ? -total : total);
  const int zeros = zerosAbove(magnitude, width);
  return {total < 0, (magnitude << zeros) >> (width - g),
          Format::exponentBits - 1 - zeros - (touched ? 0 : below)};
}

} // namespace spindle::hls
