#include "core/support/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace spindle {

static int bias(SmallFloat format) { return (1 << (format.exponent - 1)) - 1; }

double toDouble(SmallFloat format, uint16_t bits) {
  int sign = bits >> (format.exponent + format.fraction);
  int largest = (1 << format.exponent) - 1, one = 1 << format.fraction;
  int exponent = (bits >> format.fraction) & largest, fraction = bits & (one - 1);
  double magnitude;
  if (exponent == largest)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else
    magnitude = std::ldexp(exponent ? one + fraction : fraction,
                           std::max(exponent, 1) - bias(format) - int(format.fraction));
  return sign ? -magnitude : magnitude;
}

uint16_t toBits(SmallFloat format, double value) {
  int largest = (1 << format.exponent) - 1, one = 1 << format.fraction;
  uint16_t infinity = uint16_t(largest << format.fraction);
  if (std::isnan(value))
    return uint16_t(infinity | one >> 1);
  uint16_t sign = uint16_t(std::signbit(value) << (format.exponent + format.fraction));
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return sign | infinity;
  // The exponent of the last digit; below the normal numbers it stays where it is.
  int exponent =
      std::max(magnitude > 0 ? std::ilogb(magnitude) : 1 - bias(format), 1 - bias(format));
  double scaled = std::ldexp(magnitude, int(format.fraction) - exponent); // exact: a power of two
  double whole = std::nearbyint(scaled);                                  // ties to even
  // What rounds up to the next power of two moves into the exponent by itself.
  int64_t bits = (int64_t(exponent + bias(format) - 1) << format.fraction) + int64_t(whole);
  return bits >= infinity ? uint16_t(sign | infinity) : uint16_t(sign | bits);
}

} // namespace spindle
