// tanh as the hardware computes it: what `hls-prepare` spells it out as, bit for bit.
#pragma once

namespace spindle::hls {

/// Below this magnitude the nearest number to tanh x, which is x - x^3 / 3 …, is x.
inline constexpr double kTanhIsLinear = 0x1p-12;

/// sign(x) (1 - 2 / (e^2|x| + 1)), in f64 by `unitExp`, rounded to f32: within 0.51 units in the
/// last place; x below `kTanhIsLinear`, within 0.34. NaN is canonical.
float unitTanh(float x);

} // namespace spindle::hls
