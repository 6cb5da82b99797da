// Floating-point numbers of 16 bits: IEEE 754 half precision, and the upper half of a float.
#pragma once

#include <cstdint>

namespace spindle {

/// A sign, `exponent` and `fraction` bits as IEEE 754 has them.
struct SmallFloat {
  unsigned exponent, fraction;
  bool operator==(const SmallFloat &) const = default;
};

inline constexpr SmallFloat kHalf{5, 10}, kBFloat{8, 7};

/// The number with these bits, exactly; a NaN keeps its sign and the top of its fraction.
double toDouble(SmallFloat format, uint16_t bits);

/// The nearest number, of two the one with an even fraction; subnormal ones, infinities and zeros
/// as IEEE 754 has them. Every NaN becomes the quiet one of sign 0.
uint16_t toBits(SmallFloat format, double value);

} // namespace spindle
