#include "hw/rtl/model/Tanh.h"

#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Horner.h"

#include <cmath>
#include <limits>

namespace spindle::hls {

float unitTanh(float x) {
  if (std::isnan(x))
    return std::numeric_limits<float>::quiet_NaN();
  double magnitude = std::fabs(double(x));
  if (magnitude < kTanhIsLinear)
    return x;
  double result = 1 - 2 / (unitExp(magnitude + magnitude) + 1);
  return std::copysign(float(result), x);
}

double unitTanh(double x) {
  if (std::isnan(x))
    return std::numeric_limits<double>::quiet_NaN();
  double magnitude = std::fabs(x), square = magnitude * magnitude;
  bool isRational = magnitude < kTanhIsRational;
  double dividend = isRational ? square * horner(kTanhNumerator, square) : 2;
  double divisor = isRational ? horner(kTanhDivisor, square) : unitExp(magnitude + magnitude) + 1;
  double quotient = dividend / divisor;
  double result = (isRational ? magnitude : -1) * quotient + (isRational ? magnitude : 1);
  return std::copysign(result, x);
}

} // namespace spindle::hls
