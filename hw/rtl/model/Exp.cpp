#include "hw/rtl/model/Exp.h"

#include "hw/rtl/model/FixedExp.h"

#include <bit>

namespace spindle::hls {

namespace {

template <class Format> uint64_t expOfBits(uint64_t x) {
  const uint64_t magnitude = x & ~Format::signBit;
  const bool negative = x & Format::signBit;
  if (magnitude > Format::infinity)
    return Format::nan;
  const int field = int(magnitude >> Format::fractionBits);
  const int power = field - Format::bias; // of subnormal numbers nothing is left below
  if (power >= Format::exponentBits)
    return negative ? 0 : Format::infinity;
  const uint64_t significand = (magnitude & ((uint64_t(1) << Format::fractionBits) - 1)) |
                               uint64_t(field != 0) << Format::fractionBits;
  // The highest power has the significand at the top of the fixed-point number.
  const int right = Format::exponentBits - 1 - power;
  const Wide top = Wide(significand)
                   << (Format::argument + Format::exponentBits - Format::precision);
  const Wide argument = right > 127 ? 0 : top >> right;
  return expOfFixed<Format>(negative ? -argument : argument);
}

} // namespace

float unitExp(float x) {
  using Format = FixedFormat<8, 23>;
  return std::bit_cast<float>(uint32_t(expOfBits<Format>(std::bit_cast<uint32_t>(x))));
}

double unitExp(double x) {
  using Format = FixedFormat<11, 52>;
  return std::bit_cast<double>(expOfBits<Format>(std::bit_cast<uint64_t>(x)));
}

} // namespace spindle::hls
