#include "hw/rtl/model/Pow.h"

#include "hw/rtl/model/FixedExp.h"

#include <bit>
#include <optional>

namespace spindle::hls {

namespace {

int zerosAbove(UnsignedWide x, int width) {
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

enum class Parity { fractional, even, odd };
template <class Format> Parity parity(uint64_t magnitude) {
  const Normal y = normal<Format>(magnitude);
  if (y.power > Format::fractionBits)
    return Parity::even;
  if (y.power < 0)
    return Parity::fractional;
  const int below = Format::fractionBits - y.power;
  if (y.significand & ((uint64_t(1) << below) - 1))
    return Parity::fractional;
  return y.significand >> below & 1 ? Parity::odd : Parity::even;
}

/// C99 F.9.4.4, what is not computed.
template <class Format> std::optional<uint64_t> special(uint64_t x, uint64_t y) {
  const uint64_t one = uint64_t(Format::bias) << Format::fractionBits;
  const uint64_t sizeX = x & ~Format::signBit, sizeY = y & ~Format::signBit;
  if (sizeY == 0 || x == one || (sizeX == one && sizeY == Format::infinity))
    return one;
  if (sizeX > Format::infinity || sizeY > Format::infinity)
    return Format::nan;
  const bool negativeY = y & Format::signBit;
  if (sizeY == Format::infinity)
    return (sizeX > one) != negativeY ? Format::infinity : 0;
  const Parity kind = parity<Format>(sizeY);
  const uint64_t sign = kind == Parity::odd ? x & Format::signBit : 0;
  if (sizeX == 0 || sizeX == Format::infinity)
    return sign | ((sizeX == 0) == negativeY ? Format::infinity : 0);
  if ((x & Format::signBit) && kind == Parity::fractional)
    return Format::nan;
  return std::nullopt;
}

template <class Format> uint64_t powOfBits(uint64_t x, uint64_t y) {
  if (auto result = special<Format>(x, y))
    return *result;
  const Normal base = normal<Format>(x & ~Format::signBit),
               power = normal<Format>(y & ~Format::signBit);
  const bool odd = parity<Format>(y & ~Format::signBit) == Parity::odd;
  const uint64_t sign = odd ? x & Format::signBit : 0;
  if (base.significand == uint64_t(1) << Format::fractionBits && base.power == 0)
    return sign | uint64_t(Format::bias) << Format::fractionBits; // -1
  const FloatingLogarithm log = logarithm<Format>(base);
  const bool negative = log.negative != bool(y & Format::signBit);
  // The product's top bit, which may be 0, weighs 2^(top - 1).
  const UnsignedWide product = UnsignedWide(power.significand) * log.digits;
  const int top = log.top + power.power + 1;
  if (top > Format::exponentBits)
    return sign | (negative ? 0 : Format::infinity);
  constexpr int drop =
      Format::precision + Format::residue - Format::argument - Format::exponentBits;
  const int right = Format::exponentBits - top;
  const Wide argument = right > 127 ? 0 : Wide(product >> drop >> right);
  return sign | expOfFixed<Format>(negative ? -argument : argument);
}

} // namespace

float unitPow(float x, float y) {
  using Format = FixedFormat<8, 23>;
  return std::bit_cast<float>(
      uint32_t(powOfBits<Format>(std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y))));
}

double unitPow(double x, double y) {
  using Format = FixedFormat<11, 52>;
  return std::bit_cast<double>(
      powOfBits<Format>(std::bit_cast<uint64_t>(x), std::bit_cast<uint64_t>(y)));
}

} // namespace spindle::hls
