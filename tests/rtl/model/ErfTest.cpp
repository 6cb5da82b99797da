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

TEST(Erf, OfSpecialNumbers) {
  EXPECT_EQ(unitErf(INFINITY), 1);
  EXPECT_EQ(unitErf(-INFINITY), -1);
  EXPECT_EQ(unitErf(3e38f), 1);
  EXPECT_EQ(unitErf(4), 1);
  EXPECT_TRUE(std::signbit(unitErf(-0.0f)));
  EXPECT_EQ(std::bit_cast<uint32_t>(unitErf(-NAN)), 0x7fc00000u);
  EXPECT_EQ(unitErf(0x1p-149f), 0x1p-149f);
}

} // namespace
} // namespace spindle::hls
