#include "hw/rtl/model/Erf.h"

#include "core/support/CounterRandom.h"
#include "tests/rtl/model/Ulps.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>

namespace spindle::hls {
namespace {

double offBy(float x) { return rtl::ulpsFrom(unitErf(x), std::erf((long double)x)); }

TEST(Erf, IsWithinItsBound) {
  CounterRandom random(1);
  double worst = 0;
  for (int n = 0; n < 1'000'000; ++n) {
    float x = std::ldexp(1 + float(random.uniform()), int(random.below(36)) - 31);
    worst = std::max(worst, offBy(random.below(2) ? -x : x));
  }
  // About the border of the series, and where it becomes 1.
  for (float border : {float(kErfIsSeries), 1.0f, 3.9f, 4.0f})
    for (int n = -20'000; n < 20'000; ++n)
      worst = std::max(worst, offBy(std::bit_cast<float>(std::bit_cast<int32_t>(border) + n)));
  EXPECT_LE(worst, 0.51);
  RecordProperty("worst", std::to_string(worst));
}

/// long double has 11 more bits.
TEST(Erf, OfDoublesIsWithinItsBound) {
  CounterRandom random(2);
  double worst = 0;
  auto check = [&](double x) {
    worst = std::max(worst, rtl::ulpsFrom(unitErf(x), std::erf((long double)x)));
  };
  for (int n = 0; n < 1'000'000; ++n)
    check(std::ldexp(1 + random.uniform(), int(random.below(36)) - 31));
  for (int n = 0; n < 1'000'000; ++n)
    check(6.5 * random.uniform());
  for (double border : {kErfIsOdd, 1.0, 2.0, 5.9, kErfIsOne})
    for (int n = -20'000; n < 20'000; ++n)
      check(-border * (1 + n * 0x1p-53));
  EXPECT_LE(worst, 1.6);
  EXPECT_GE(worst, 0.5);
  RecordProperty("worst", std::to_string(worst));
}

TEST(Erf, OfSpecialDoubles) {
  for (double x : {6.0, 6.5, 40.0, 1e300, double(INFINITY)})
    EXPECT_EQ(unitErf(-x), -1);
  EXPECT_EQ(unitErf(0.0), 0);
  EXPECT_TRUE(std::signbit(unitErf(-0.0)));
  EXPECT_EQ(unitErf(0x1p-1074), 0x1p-1074);
  EXPECT_EQ(unitErf(0x1p-1000), std::erf(0x1p-1000));
  EXPECT_EQ(std::bit_cast<uint64_t>(unitErf(-double(NAN))), 0x7ff8000000000000u);
}

TEST(Erf, OfSpecialNumbers) {
  EXPECT_EQ(unitErf(INFINITY), 1);
  EXPECT_EQ(unitErf(-INFINITY), -1);
  EXPECT_EQ(unitErf(3e38f), 1);
  EXPECT_EQ(unitErf(4.0f), 1);
  EXPECT_TRUE(std::signbit(unitErf(-0.0f)));
  EXPECT_EQ(std::bit_cast<uint32_t>(unitErf(-NAN)), 0x7fc00000u);
  EXPECT_EQ(unitErf(0x1p-149f), 0x1p-149f);
}

} // namespace
} // namespace spindle::hls
