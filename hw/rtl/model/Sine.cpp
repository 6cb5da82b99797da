#include "hw/rtl/model/Sine.h"

#include "hw/rtl/model/FixedExp.h"
#include "hw/rtl/model/Horner.h"

#include <bit>
#include <cmath>
#include <limits>

namespace spindle::hls {

namespace {

struct Reduced {
  uint64_t quadrant;
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
  return {quadrant, double(rest) * kRadians};
}

uint64_t upperHalf(uint64_t x, uint64_t y) { return uint64_t((UnsignedWide(x) * y) >> 64); }

Reduced reduce(uint64_t bits) {
  int exponent = int(bits >> 52);
  if (exponent < kSineIsReducedWide)
    return {0, std::bit_cast<double>(bits)};
  uint64_t one = uint64_t(1) << 52, mantissa = (bits & (one - 1)) | one;
  unsigned place = unsigned(exponent - 1013), word = place >> 6, offset = place & 63;
  auto window = [&](unsigned n) {
    uint64_t next = kTwoOverPiWide[word + n + 1];
    return kTwoOverPiWide[word + n] << offset | (next >> 1) >> (63 - offset);
  };
  uint64_t lower = mantissa * window(1), last = upperHalf(mantissa, window(2));
  uint64_t low = lower + last, carry = low < lower;
  uint64_t high = mantissa * window(0) + upperHalf(mantissa, window(1)) + carry;
  uint64_t quadrant = (high + (uint64_t(1) << 61)) >> 62;
  auto rest = int64_t(high - (quadrant << 62));
  auto sign = uint64_t(rest >> 63); // all ones below zero
  high = uint64_t(rest) ^ sign;
  low ^= sign;
  auto zeros = unsigned(std::countl_zero(high));
  uint64_t digits = high << zeros | (low >> 1) >> (63 - zeros);
  auto whole = std::bit_cast<uint64_t>(double(upperHalf(digits, kHalfPi)));
  return {quadrant, std::bit_cast<double>((whole - (uint64_t(zeros + 61) << 52)) | sign << 63)};
}

template <typename Float, typename Word, size_t count>
Float turned(Float x, unsigned turns, bool isOdd, const double (&sine)[count],
             const double (&cosine)[count]) {
  Word bits = std::bit_cast<Word>(x), sign = Word(1) << (8 * sizeof(Word) - 1);
  Word magnitude = bits & ~sign;
  if (magnitude >= std::bit_cast<Word>(std::numeric_limits<Float>::infinity()))
    return std::numeric_limits<Float>::quiet_NaN();
  auto [quadrant, rest] = reduce(magnitude);
  quadrant += turns;
  double square = rest * rest;
  bool isCosine = quadrant & 1;
  double factor = isCosine ? 1 : rest;
  double sum = isCosine ? horner(cosine, square) : horner(sine, square);
  auto result = Float(factor + factor * (square * sum));
  bool isNegative = ((quadrant >> 1) & 1) != (isOdd && (bits & sign));
  return isNegative ? -result : result;
}

float narrow(float x, unsigned turns, bool isOdd) {
  return turned<float, uint32_t>(x, turns, isOdd, kSinePolynomial, kCosinePolynomial);
}
double wide(double x, unsigned turns, bool isOdd) {
  return turned<double, uint64_t>(x, turns, isOdd, kSinePolynomialWide, kCosinePolynomialWide);
}

} // namespace

float unitSin(float x) { return narrow(x, 0, true); }
float unitCos(float x) { return narrow(x, 1, false); }
double unitSin(double x) { return wide(x, 0, true); }
double unitCos(double x) { return wide(x, 1, false); }

} // namespace spindle::hls
