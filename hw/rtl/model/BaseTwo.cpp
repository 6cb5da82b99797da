#include "hw/rtl/model/BaseTwo.h"

#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Log.h"
#include "hw/rtl/model/Pow.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace spindle::hls {

float unitExp2(float x) { return float(unitExp(double(x) * kLn2)); }

double unitExp2(double x) { return unitPow(2.0, x); }

float unitLog2(float x) { return float(unitLog(double(x)) * kLog2E); }

double unitLog2(double x) {
  if (!(x > 0 && x < INFINITY))
    return unitLog(x);
  bool isSubnormal = x < 0x1p-1022;
  auto bits = std::bit_cast<int64_t>(isSubnormal ? x * 0x1p54 : x);
  int64_t exponent = (bits - kHalfRootBits) >> 52;
  auto mantissa = std::bit_cast<double>(bits - (exponent << 52));
  return double(exponent - (isSubnormal ? 54 : 0)) + unitLog(mantissa) * kLog2E;
}

} // namespace spindle::hls
