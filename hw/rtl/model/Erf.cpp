#include "hw/rtl/model/Erf.h"

#include "hw/rtl/model/Exp.h"

#include <cmath>
#include <iterator>
#include <limits>

namespace spindle::hls {

float unitErf(float x) {
  if (std::isnan(x))
    return std::numeric_limits<float>::quiet_NaN();
  double magnitude = std::fabs(double(x)), square = magnitude * magnitude;
  if (magnitude < kErfIsSeries) {
    double sum = kErfSeries[1] + square * kErfSeries[2];
    return std::copysign(float(magnitude * (kErfSeries[0] + square * sum)), x);
  }
  double t = 1 / (1 + magnitude * kErfScale);
  double sum = *std::rbegin(kErfPolynomial);
  for (size_t term = std::size(kErfPolynomial) - 1; term-- > 0;)
    sum = sum * t + kErfPolynomial[term];
  return std::copysign(float(1 - unitExp(-square) * sum), x);
}

} // namespace spindle::hls
