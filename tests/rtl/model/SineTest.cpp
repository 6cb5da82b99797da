#include "hw/rtl/model/Sine.h"

#include "core/support/CounterRandom.h"
#include "tests/rtl/model/Ulps.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>

namespace spindle::hls {
namespace {

/// The library reduces long double by as many digits as that takes.
struct Worst {
  double off = 0;
  template <typename Float> void check(Float x) {
    off = std::max(off, rtl::ulpsFrom(unitSin(x), std::sin((long double)x)));
    off = std::max(off, rtl::ulpsFrom(unitCos(x), std::cos((long double)x)));
  }
};

TEST(Sine, IsWithinItsBoundForAllMagnitudes) {
  CounterRandom random(1);
  Worst worst;
  for (int n = 0; n < 300'000; ++n) {
    worst.check(std::ldexp(1 + float(random.uniform()), int(random.below(256)) - 128));
    worst.check(float(20 * random.uniform() - 10));
  }
  EXPECT_LE(worst.off, 0.51);
  RecordProperty("worst", std::to_string(worst.off));
}

/// The floats next to multiples of π / 2, where all leading digits cancel.
TEST(Sine, IsWithinItsBoundNextToItsZeros) {
  Worst worst;
  for (int n = 1; n < 200'000; ++n) {
    auto x = float(n * (std::acos(-1.0L) / 2));
    for (float near : {std::nextafter(x, 0.0f), x, std::nextafter(x, INFINITY)})
      worst.check(near);
  }
  // Of all floats, the one nearest to a multiple.
  worst.check(16367173.0f * 0x1p72f);
  EXPECT_LE(worst.off, 0.51);
}

TEST(Sine, OfDoubleIsWithinItsBoundForAllMagnitudes) {
  CounterRandom random(2);
  Worst worst;
  for (int n = 0; n < 200'000; ++n) {
    worst.check(std::ldexp(1 + random.uniform(), int(random.below(2046)) - 1022));
    worst.check(20 * random.uniform() - 10);
  }
  for (int power = -2; power < 1024; ++power) // each place of 2 / π
    for (double x : {std::ldexp(1, power), std::ldexp(2 - 0x1p-52, power)})
      worst.check(x);
  EXPECT_LE(worst.off, 2);
  RecordProperty("worst", std::to_string(worst.off));
}

TEST(Sine, OfDoubleIsWithinItsBoundNextToItsZeros) {
  Worst worst;
  for (int n = 1; n < 50'000; ++n) {
    auto x = double(n * (std::acos(-1.0L) / 2));
    for (double near : {std::nextafter(x, 0.0), x, std::nextafter(x, INFINITY)})
      worst.check(near);
  }
  // Of all doubles, the one nearest to a multiple: 61 digits cancel.
  double nearest = std::ldexp(6381956970095103.0, 797);
  EXPECT_LT(std::abs(unitCos(nearest)), 0x1p-60);
  worst.check(nearest);
  EXPECT_LE(worst.off, 2);
}

TEST(Sine, OfSpecialDoubles) {
  EXPECT_TRUE(std::signbit(unitSin(-0.0)));
  EXPECT_FALSE(std::signbit(unitSin(0.0)));
  EXPECT_EQ(unitCos(0.0), 1);
  EXPECT_EQ(unitSin(0x1p-1074), 0x1p-1074);
  for (double x : {double(INFINITY), -double(INFINITY), double(NAN), -double(NAN)}) {
    EXPECT_EQ(std::bit_cast<uint64_t>(unitSin(x)), 0x7ff8000000000000u);
    EXPECT_EQ(std::bit_cast<uint64_t>(unitCos(x)), 0x7ff8000000000000u);
  }
  for (double x : {0.3, 2.0, 5.0, 1e10, 1e300}) {
    EXPECT_EQ(unitSin(-x), -unitSin(x));
    EXPECT_EQ(unitCos(-x), unitCos(x));
  }
}

TEST(Sine, OfSpecialNumbers) {
  EXPECT_TRUE(std::signbit(unitSin(-0.0f)));
  EXPECT_FALSE(std::signbit(unitSin(0.0f)));
  EXPECT_EQ(unitCos(0.0f), 1);
  EXPECT_EQ(unitSin(0x1p-149f), 0x1p-149f);
  for (float x : {INFINITY, -INFINITY, NAN, -NAN}) {
    EXPECT_EQ(std::bit_cast<uint32_t>(unitSin(x)), 0x7fc00000u);
    EXPECT_EQ(std::bit_cast<uint32_t>(unitCos(x)), 0x7fc00000u);
  }
  for (float x : {0.3f, 2.0f, 5.0f, 1e10f}) {
    EXPECT_EQ(unitSin(-x), -unitSin(x));
    EXPECT_EQ(unitCos(-x), unitCos(x));
  }
}

} // namespace
} // namespace spindle::hls
