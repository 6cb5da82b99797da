// sin and cos as the hardware computes them: what `hls-prepare` spells them out as, bit for bit.
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

/// The same for m 2^(e - 1075) of f64: 2 / π after 64 zeros, of which the 192 bits from place
/// e - 1013 on count.
inline constexpr uint64_t kTwoOverPiWide[] = {0,
                                              0xa2f9836e4e441529,
                                              0xfc2757d1f534ddc0,
                                              0xdb6295993c439041,
                                              0xfe5163abdebbc561,
                                              0xb7246e3a424dd2e0,
                                              0x06492eea09d1921c,
                                              0xfe1deb1cb129a73e,
                                              0xe88235f52ebb4484,
                                              0xe99c7026b45f7e41,
                                              0x3991d639835339f4,
                                              0x9c845f8bbdf9283b,
                                              0x1ff897ffde05980f,
                                              0xef2f118b5a0a6d1f,
                                              0x6d367ecf27cb09b7,
                                              0x4f463f669e5fea2d,
                                              0x7527bac7ebe5f17b,
                                              0x3d0739f78a5292ea,
                                              0x6bfb5fb11f8d5d08,
                                              0x56033046fc7b6bab};
inline constexpr int kSineIsReducedWide = 1022;
inline constexpr uint64_t kHalfPi = 0xc90fdaa22168c234; // units of 2⁻⁶³

/// As above; both are equal to the functions at the Chebyshev points of z, off by 2⁻⁵⁷ at most.
inline constexpr double kSinePolynomialWide[] = {
    -0x1.5555555555555p-3,  0x1.1111111111110p-7,  -0x1.a01a01a019938p-13, 0x1.71de3a546095bp-19,
    -0x1.ae645412c560cp-26, 0x1.61217f0b800d5p-33, -0x1.ab17d404de5b3p-41};
inline constexpr double kCosinePolynomialWide[] = {
    -0x1.0000000000000p-1,  0x1.5555555555551p-5,  -0x1.6c16c16c15d79p-10, 0x1.a01a019de131fp-16,
    -0x1.27e4f8e4a2e74p-22, 0x1.1eea7f259b344p-29, -0x1.8ff9d439a204ap-37};

/// x 2 / π in fixed point, of which the whole part modulo four is the quadrant; the rest in f64
/// (Payne & Hanek 1983). Within 0.51 units in the last place for all x; NaN of what is not finite.
float unitSin(float x);
float unitCos(float x);

/// In f64 with 126 bits behind the point, of which at most 61 are zeros or ones in front of the
/// rest; 64 of the others are multiplied by π / 2 and rounded. Within 2 units in the last place.
double unitSin(double x);
double unitCos(double x);

} // namespace spindle::hls
