#include "hw/rtl/model/Tanh.h"

#include "hw/rtl/model/Exp.h"

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

} // namespace spindle::hls
