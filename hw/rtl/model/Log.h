// The natural logarithm as the hardware computes it: what the unit spindle_log gives, bit for bit.
#pragma once

namespace spindle::hls {

/// Within 0.501 units in the last place of the natural logarithm; special values as in C99 Annex F,
/// NaN results canonical (quiet, sign 0).
float unitLog(float x);
double unitLog(double x);

} // namespace spindle::hls
