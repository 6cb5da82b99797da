#include "hw/rtl/model/Tanh.h"

#include "core/support/CounterRandom.h"
#include "tests/rtl/model/Ulps.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>

namespace spindle::hls {
namespace {

TEST(Tanh, IsWithinItsBound) {
  CounterRandom random(1);
  double worst = 0, worstLinear = 0;
  for (int n = 0; n < 1'000'000; ++n) {
    float x = std::ldexp(1 + float(random.uniform()), int(random.below(36)) - 31);
    if (random.below(2))
      x = -x;
    double off = rtl::ulpsFrom(unitTanh(x), std::tanh((long double)x));
    double &most = std::fabs(x) < kTanhIsLinear ? worstLinear : worst;
    most = std::max(most, off);
  }
  EXPECT_LE(worst, 0.51);
  EXPECT_LE(worstLinear, 0.34);
  RecordProperty("worst", std::to_string(worst));
}

TEST(Tanh, OfSpecialNumbers) {
  EXPECT_EQ(unitTanh(INFINITY), 1);
  EXPECT_EQ(unitTanh(-INFINITY), -1);
  EXPECT_EQ(unitTanh(100), 1);
  EXPECT_TRUE(std::signbit(unitTanh(-0.0f)));
  EXPECT_EQ(std::bit_cast<uint32_t>(unitTanh(-NAN)), 0x7fc00000u);
  EXPECT_EQ(unitTanh(0x1p-149f), 0x1p-149f);
}

} // namespace
} // namespace spindle::hls
