// exp as the hardware computes it: what the unit spindle_exp gives, bit for bit.
#pragma once

namespace spindle::hls {

/// Within 0.505 units in the last place of the exponential function; special values as in C99 Annex
/// F, NaN results canonical (quiet, sign 0).
float unitExp(float x);
double unitExp(double x);

} // namespace spindle::hls
