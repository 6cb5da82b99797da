#include "hw/rtl/model/Log.h"

#include "hw/rtl/model/FloatingLogarithm.h"

#include <bit>

namespace spindle::hls {

namespace {

template <class Format> uint64_t logOfBits(uint64_t x) {
  const uint64_t magnitude = x & ~Format::signBit;
  if (magnitude == 0)
    return Format::signBit | Format::infinity;
  if (magnitude > Format::infinity || (x & Format::signBit))
    return Format::nan;
  if (magnitude == Format::infinity)
    return Format::infinity;
  const FloatingLogarithm log = logarithm<Format>(normal<Format>(magnitude));
  if (log.digits == 0) // of 1
    return 0;
  return (log.negative ? Format::signBit : 0) |
         roundedNumber<Format>(log.digits, Format::residue - 1, log.top - 1);
}

} // namespace

float unitLog(float x) {
  using Format = FixedFormat<8, 23>;
  return std::bit_cast<float>(uint32_t(logOfBits<Format>(std::bit_cast<uint32_t>(x))));
}

double unitLog(double x) {
  using Format = FixedFormat<11, 52>;
  return std::bit_cast<double>(logOfBits<Format>(std::bit_cast<uint64_t>(x)));
}

} // namespace spindle::hls
