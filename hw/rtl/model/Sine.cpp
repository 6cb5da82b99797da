#include "hw/rtl/model/Sine.h"

#include "hw/rtl/model/Horner.h"

#include <bit>
#include <cmath>
#include <limits>

namespace spindle::hls {

namespace {

struct Reduced {
  uint32_t quadrant;
  double rest; // radians, from -π/4 to π/4
};

/// Of the magnitude, which is finite.
Reduced reduce(uint32_t bits) {
  int exponent = int(bits >> 23);
  if (exponent < kSineIsReduced)
    return {0, double(std::bit_cast<float>(bits))};
  uint64_t mantissa = (bits & 0x7fffff) | 0x800000;
  unsigned place = unsigned(exponent - 120), word = place >> 5, offset = place & 31;
  auto pair = [&](unsigned at) { return uint64_t(kTwoOverPi[at]) << 32 | kTwoOverPi[at + 1]; };
  uint64_t upper = pair(word), lower = pair(word + 2);
  uint64_t first = upper << offset | (lower >> 1) >> (63 - offset);
  uint64_t second = (lower << offset) >> 32;
  uint64_t product = mantissa * first + ((mantissa * second) >> 32);
  uint64_t quadrant = (product + (uint64_t(1) << 61)) >> 62;
  auto rest = int64_t(product - (quadrant << 62));
  return {uint32_t(quadrant), double(rest) * kRadians};
}

float turned(float x, unsigned turns, bool isOdd) {
  uint32_t bits = std::bit_cast<uint32_t>(x), magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x7f800000)
    return std::numeric_limits<float>::quiet_NaN();
  auto [quadrant, rest] = reduce(magnitude);
  quadrant += turns;
  double square = rest * rest;
  bool isCosine = quadrant & 1;
  double factor = isCosine ? 1 : rest;
  double sum = isCosine ? horner(kCosinePolynomial, square) : horner(kSinePolynomial, square);
  auto result = float(factor + factor * (square * sum));
  bool isNegative = ((quadrant >> 1) & 1) != (isOdd && bits >> 31);
  return isNegative ? -result : result;
}

} // namespace

float unitSin(float x) { return turned(x, 0, true); }
float unitCos(float x) { return turned(x, 1, false); }

} // namespace spindle::hls
