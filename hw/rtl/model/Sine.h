// sin and cos of f32 as the hardware computes them: what `hls-prepare` spells them out as, bit for
// bit.
#pragma once

#include <cstdint>

namespace spindle::hls {

/// 2 / π in binary, after 32 zeros. A number m 2^(e - 150) of f32 meets only those 96 bits from
/// place e - 120 on that neither lead to multiples of four nor are too small to count.
inline constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                          0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/// Below 1/2, which has this exponent, a number is its own rest.
inline constexpr int kSineIsReduced = 126;

/// From units of 2⁻⁶² quarter turns to radians.
inline constexpr double kRadians = 0x1.921fb54442d18p-62;

/// sin r = r + r z P(z), cos r = 1 + z Q(z), z = r², |r| <= π / 4: Taylor's coefficients, off by
/// 2⁻⁴¹ at most. From the constants on.
inline constexpr double kSinePolynomial[] = {-1.0 / 6,     1.0 / 120,       -1.0 / 5040,
                                             1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800};
inline constexpr double kCosinePolynomial[] = {-1.0 / 2,    1.0 / 24,       -1.0 / 720,
                                               1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};

/// x 2 / π in fixed point, of which the whole part modulo four is the quadrant; the rest in f64
/// (Payne & Hanek 1983). Within 0.51 units in the last place for all x; NaN of what is not finite.
float unitSin(float x);
float unitCos(float x);

} // namespace spindle::hls
