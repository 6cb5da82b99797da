// The error function as the hardware computes it: what `hls-prepare` spells it out as, bit for bit.
#pragma once

#include <cstddef>

namespace spindle::hls {

/// Below this magnitude, x (k0 + x² (k1 + x² k2)): the series, of which the next term is 2⁻⁴¹ of x.
inline constexpr double kErfIsSeries = 0x1p-6;
inline constexpr double kErfSeries[] = {0x1.20dd750429b6dp+0, -0x1.812746b0379e7p-2,
                                        0x1.ce2f21a042be2p-4};

/// Else 1 - e^-x² P(t), t = 1 / (1 + x kErfScale). P interpolates e^x² erfc(x) at the Chebyshev
/// points of t for x from 0 to 4 (docs/rationale/units.md): off by 1.1e-11 at most. From x = 4 on
/// the nearest f32 is 1.
inline constexpr double kErfScale = 0.3;
inline constexpr double kErfPolynomial[] = { // from the constant on
    0x1.f938d082f21e3p-11, 0x1.3a0aa97aba9dbp-3,  0x1.268a15c82f135p-2, -0x1.7191000ee1ddbp-2,
    0x1.a9dbb35fea13ap+0,  -0x1.73a7049e7d918p+1, 0x1.136b497c33636p+2, -0x1.f6bef1b67699ep+1,
    0x1.40ae24b9a5c72p+1,  -0x1.a91f507a9bc06p-1, 0x1.bb7b06b6d69b6p-4};

/// In f64, quotients P / Q of polynomials, from their constants on, Q's being 1. They interpolate
/// at Chebyshev points (docs/rationale/units.md): below the border erf(x) / x - 1 as a function of
/// x², off by 2⁻⁶² at most, and e^x² erfc(x) up to x = 6, from where on the nearest number is 1;
/// there e^-x² times what it is off by is 2⁻⁵⁸ at most. Terms that one of both has not are 0.
inline constexpr double kErfIsOdd = 1.125, kErfIsOne = 6;
struct ErfQuotient {
  double numerator[7], divisor[8];
};
inline constexpr ErfQuotient kErfBelow = {
    {0x1.06eba8214db69p-3, -0x1.48dc1ff30b74bp-2, -0x1.366bd79594a44p-5, -0x1.fb77590eef9f0p-8,
     -0x1.2fc5dad421fb0p-12, -0x1.1a922c3e34807p-16, 0x1.a2e6e21d7ba52p-24},
    {1, 0x1.b67e9826ae6ddp-2, 0x1.49ab610a5abd0p-4, 0x1.12c53892a250cp-7, 0x1.0138c8947e33cp-11,
     0x1.b84470cb94050p-17, 0, 0}};
inline constexpr ErfQuotient kErfAbove = {
    {0x1.000000ab4edffp+0, 0x1.a51fe94e108b6p+0, 0x1.5450229acfd8fp+0, 0x1.4bfa15be0df8ep-1,
     0x1.99034ee337fcap-3, 0x1.2f7c33897ba78p-5, 0x1.b46ca53c5901cp-9},
    {1, 0x1.62feb2ba5e3aep+1, 0x1.bab9a04bf008fp+1, 0x1.43d9b0e0f1583p+1, 0x1.2e9dad8b89b56p+0,
     0x1.6d7faf820c7d0p-2, 0x1.0cf4f888b2f36p-4, 0x1.82c55f73eb1d3p-8}};

/// In f64, with `unitExp`, rounded to f32: within 0.51 units in the last place. NaN is canonical.
float unitErf(float x);

/// x + x P / Q below the border, else 1 - e^-x² P / Q with `unitExp`: within 2 units
/// in the last place. NaN is canonical.
double unitErf(double x);

} // namespace spindle::hls
