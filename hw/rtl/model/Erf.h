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

/// In f64, with `unitExp`, rounded to f32: within 0.51 units in the last place. NaN is canonical.
float unitErf(float x);

} // namespace spindle::hls
