// How far results are from the long double functions of the host, and from its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace spindle::rtl {

/// Distance from `exact` in units of the last place that T has there; 0 where the result is
/// infinite.
template <class T> double ulpsFrom(T result, long double exact) {
  using Limits = std::numeric_limits<T>;
  if (std::isinf(result) || exact == 0)
    return 0;
  int power = 0;
  std::frexp(exact, &power);
  const int last = std::max(power, Limits::min_exponent) - Limits::digits;
  return double(std::fabs(std::ldexp((long double)(result)-exact, -last)));
}

/// Equal, neighbours, or both NaN; zeros only of the same sign.
template <class T> bool isWithinOneUlp(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (a == b)
    return std::signbit(a) == std::signbit(b);
  return std::signbit(a) == std::signbit(b) && std::nextafter(a, b) == b;
}

/// Bit for bit, all NaNs as one.
template <class T> bool isSame(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

} // namespace spindle::rtl
