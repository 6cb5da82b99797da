// Powers of two and logarithms to base two as the hardware computes them: what `hls-prepare` spells
// them out as, bit for bit.
#pragma once

namespace spindle::hls {

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLog2E = 0x1.71547652b82fep+0;

/// The bits of √½: of all numbers, those whose bits are less than a power of two above it lie
/// between √½ and √2 times that power.
inline constexpr long long kHalfRootBits = 0x3fe6a09e667f3bcd;

/// e^(x ln 2) in f64 by `unitExp`, rounded to f32: within 0.501 units in the last place, exact
/// where x is whole. NaN is canonical.
float unitExp2(float x);

/// `unitPow` of 2 and x: within 0.51 units in the last place.
double unitExp2(double x);

/// ln x · log2 e in f64 by `unitLog`, rounded to f32: within 0.501 units in the last place.
float unitLog2(float x);

/// e + ln m · log2 e, x = m 2^e, m from √½ to √2: within 2 units in the last place, exact for
/// powers of two.
double unitLog2(double x);

} // namespace spindle::hls
