#include "hw/rtl/model/BaseTwo.h"

#include "core/support/CounterRandom.h"
#include "tests/rtl/model/Ulps.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>

namespace spindle::hls {
namespace {

TEST(BaseTwo, PowersAreWithinTheirBounds) {
  CounterRandom random(1);
  double worst = 0, worstDouble = 0;
  for (int n = 0; n < 200'000; ++n) {
    float x = float(250 * random.uniform() - 125);
    worst = std::max(worst, rtl::ulpsFrom(unitExp2(x), std::exp2((long double)x)));
    double y = 2000 * random.uniform() - 1000;
    worstDouble = std::max(worstDouble, rtl::ulpsFrom(unitExp2(y), std::exp2((long double)y)));
  }
  EXPECT_LE(worst, 0.501);
  EXPECT_LE(worstDouble, 0.51);
}

TEST(BaseTwo, LogarithmsAreWithinTheirBounds) {
  CounterRandom random(2);
  double worst = 0, worstDouble = 0;
  auto check = [&](double x) {
    worst = std::max(worst, rtl::ulpsFrom(unitLog2(float(x)), std::log2((long double)float(x))));
    worstDouble = std::max(worstDouble, rtl::ulpsFrom(unitLog2(x), std::log2((long double)x)));
  };
  for (int n = 0; n < 200'000; ++n) {
    check(std::ldexp(1 + random.uniform(), int(random.below(200)) - 100));
    check(0.5 + random.uniform());
    check(1 + (random.uniform() - 0.5) * 0x1p-10);
  }
  EXPECT_LE(worst, 0.501);
  EXPECT_LE(worstDouble, 2);
  EXPECT_GE(worstDouble, 0.5);
  RecordProperty("worst", std::to_string(worstDouble));
}

TEST(BaseTwo, PowersOfTwoAreExact) {
  for (int e = -149; e <= 127; ++e) {
    EXPECT_EQ(unitExp2(float(e)), std::ldexp(1.0f, e));
    EXPECT_EQ(unitLog2(std::ldexp(1.0f, e)), float(e));
  }
  for (int e = -1074; e <= 1023; ++e) {
    EXPECT_EQ(unitExp2(double(e)), std::ldexp(1.0, e));
    EXPECT_EQ(unitLog2(std::ldexp(1.0, e)), double(e));
  }
}

template <typename Float, typename Bits> void expectSpecialNumbers(Bits nan) {
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  EXPECT_EQ(unitExp2(kInfinity), kInfinity);
  EXPECT_EQ(unitExp2(-kInfinity), 0);
  EXPECT_EQ(unitExp2(Float(-0.0)), 1);
  EXPECT_EQ(unitLog2(Float(0)), -kInfinity);
  EXPECT_EQ(unitLog2(Float(-0.0)), -kInfinity);
  EXPECT_EQ(unitLog2(kInfinity), kInfinity);
  EXPECT_EQ(unitLog2(Float(1)), 0);
  for (Float x : {Float(-1), -kInfinity, -Float(NAN)})
    EXPECT_EQ(std::bit_cast<Bits>(unitLog2(x)), nan) << x;
  EXPECT_EQ(std::bit_cast<Bits>(unitExp2(-Float(NAN))), nan);
}

TEST(BaseTwo, OfSpecialNumbers) {
  expectSpecialNumbers<float, uint32_t>(0x7fc00000u);
  expectSpecialNumbers<double, uint64_t>(0x7ff8000000000000u);
}

} // namespace
} // namespace spindle::hls
