// tanh as the hardware computes it: what `hls-prepare` spells it out as, bit for bit.
#pragma once

namespace spindle::hls {

/// Below this magnitude the nearest number to tanh x, which is x - x^3 / 3 …, is x.
inline constexpr double kTanhIsLinear = 0x1p-12;

/// In f64, below this magnitude x + x z P(z) / Q(z) with z = x²: P / Q interpolates
/// (tanh(x) / x - 1) / z at the Chebyshev points of z (docs/rationale/units.md), off by 2⁻⁵⁹ at
/// most where it counts. From the constants on.
inline constexpr double kTanhIsRational = 1;
inline constexpr double kTanhNumerator[] = {-0x1.5555555555555p-2, -0x1.5ec0dbdc4ed1ep-6,
                                            -0x1.fe10c5771b72cp-13, -0x1.281b5124255d8p-26};
inline constexpr double kTanhDivisor[] = {1, 0x1.db5dc2d2e8601p-2, 0x1.91a6ac56c1c8cp-6,
                                          0x1.0a961b331bb88p-12};

/// sign(x) (1 - 2 / (e^2|x| + 1)), in f64 by `unitExp`, rounded to f32: within 0.51 units in the
/// last place; x below `kTanhIsLinear`, within 0.34. NaN is canonical.
float unitTanh(float x);

/// The same in f64, and the quotient above for small x: within 2 units in the last place.
double unitTanh(double x);

} // namespace spindle::hls
