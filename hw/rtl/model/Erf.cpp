#include "hw/rtl/model/Erf.h"

#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Horner.h"

#include <cmath>
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
  double sum = horner(kErfPolynomial, t);
  return std::copysign(float(1 - unitExp(-square) * sum), x);
}

double unitErf(double x) {
  if (std::isnan(x))
    return std::numeric_limits<double>::quiet_NaN();
  double magnitude = std::fmin(std::fabs(x), kErfIsOne), square = magnitude * magnitude;
  bool isOdd = magnitude < kErfIsOdd;
  const ErfQuotient &polynomials = isOdd ? kErfBelow : kErfAbove;
  double at = isOdd ? square : magnitude;
  double quotient = horner(polynomials.numerator, at) / horner(polynomials.divisor, at);
  double factor = isOdd ? magnitude : -unitExp(-square);
  return std::copysign(factor * quotient + (isOdd ? magnitude : 1), x);
}

} // namespace spindle::hls
