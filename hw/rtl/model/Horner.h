// A polynomial as the hardware computes it: every product and every sum is rounded.
#pragma once

#include <cstddef>

namespace spindle::hls {

/// Coefficients from the constant on.
template <size_t count> double horner(const double (&coefficients)[count], double x) {
  double sum = coefficients[count - 1];
  for (size_t term = count - 1; term-- > 0;)
    sum = sum * x + coefficients[term];
  return sum;
}

} // namespace spindle::hls
