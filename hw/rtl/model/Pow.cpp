#include "hw/rtl/model/Pow.h"

#include "hw/rtl/model/FixedExp.h"
#include "hw/rtl/model/FloatingLogarithm.h"

#include <bit>
#include <optional>

namespace spindle::hls {

namespace {

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
