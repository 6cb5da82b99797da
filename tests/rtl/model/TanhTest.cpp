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

/// long double has 11 more bits.
TEST(Tanh, OfDoublesIsWithinItsBound) {
  CounterRandom random(2);
  double worst = 0;
  auto check = [&](double x) {
    worst = std::max(worst, rtl::ulpsFrom(unitTanh(x), std::tanh((long double)x)));
  };
  for (int n = 0; n < 1'000'000; ++n)
    check(std::ldexp(1 + random.uniform(), int(random.below(36)) - 31));
  for (int n = 0; n < 1'000'000; ++n)
    check(2 * random.uniform());
  for (int n = -20'000; n < 20'000; ++n) // about the border
    check(-kTanhIsRational * (1 + n * 0x1p-53));
  EXPECT_LE(worst, 1.3);
  EXPECT_GE(worst, 0.5);
  RecordProperty("worst", std::to_string(worst));
}

TEST(Tanh, OfSpecialDoubles) {
  for (double x : {0.0, 0x1p-1074, 0x1p-1022, 0x1p-600, 0x1p-30})
    for (double sign : {1.0, -1.0}) {
      EXPECT_EQ(unitTanh(sign * x), sign * x);
      EXPECT_EQ(std::signbit(unitTanh(sign * x)), sign < 0);
    }
  for (double x : {20.0, 400.0, 1e300, double(INFINITY)})
    EXPECT_EQ(unitTanh(-x), -1);
  EXPECT_EQ(std::bit_cast<uint64_t>(unitTanh(-double(NAN))), 0x7ff8000000000000u);
}

TEST(Tanh, OfSpecialNumbers) {
  EXPECT_EQ(unitTanh(INFINITY), 1);
  EXPECT_EQ(unitTanh(-INFINITY), -1);
  EXPECT_EQ(unitTanh(100.0f), 1);
  EXPECT_TRUE(std::signbit(unitTanh(-0.0f)));
  EXPECT_EQ(std::bit_cast<uint32_t>(unitTanh(-NAN)), 0x7fc00000u);
  EXPECT_EQ(unitTanh(0x1p-149f), 0x1p-149f);
}

} // namespace
} // namespace spindle::hls
