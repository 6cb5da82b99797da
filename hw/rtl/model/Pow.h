// pow as the hardware computes it: what the unit spindle_powf gives, bit for bit.
#pragma once

namespace spindle::hls {

/// Within 0.51 units in the last place of x to the power y; special values as in C99 Annex F, NaN
/// results canonical (quiet, sign 0).
float unitPow(float x, float y);
double unitPow(double x, double y);

} // namespace spindle::hls
