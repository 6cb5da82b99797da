// Numbers of 16 bits: all of them, and every rounding about them.
#include "core/support/SmallFloat.h"
#include "core/support/CounterRandom.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <vector>

using namespace spindle;

namespace {

constexpr SmallFloat formats[] = {kHalf, kBFloat};

bool isNan(SmallFloat format, unsigned bits) {
  unsigned infinity = ((1u << format.exponent) - 1) << format.fraction;
  return (bits & 0x7fff) > infinity;
}

/// bf16 is the upper half of a float.
TEST(SmallFloat, BFloatsAreCutFloats) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto wide = std::bit_cast<float>(bits << 16);
    if (!isNan(kBFloat, bits)) {
      ASSERT_EQ(toDouble(kBFloat, uint16_t(bits)), double(wide)) << bits;
      ASSERT_EQ(std::signbit(toDouble(kBFloat, uint16_t(bits))), std::signbit(wide)) << bits;
    }
  }
}

#ifdef __FLT16_MANT_DIG__
/// The compiler's half precision.
TEST(SmallFloat, HalvesAreThoseOfTheCompiler) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = std::bit_cast<_Float16>(uint16_t(bits));
    if (!isNan(kHalf, bits)) {
      ASSERT_EQ(toDouble(kHalf, uint16_t(bits)), double(half)) << bits;
    }
  }
  CounterRandom random(5);
  for (int n = 0; n < 200'000; ++n) {
    auto value = std::ldexp(double(random()) - 0x1p31, int(random.below(48)) - 62);
    ASSERT_EQ(toBits(kHalf, value), std::bit_cast<uint16_t>(_Float16(value))) << value;
  }
}
#endif

/// Of the two neighbours the nearer one, in the middle the even one.
TEST(SmallFloat, RoundsToTheNearest) {
  for (SmallFloat format : formats) {
    uint16_t infinity = uint16_t(((1u << format.exponent) - 1) << format.fraction);
    for (uint16_t bits = 0; bits < infinity; ++bits) {
      double here = toDouble(format, bits);
      // What the next one would be, were the exponent larger.
      double next = bits + 1 == infinity ? 2 * here - toDouble(format, uint16_t(bits - 1))
                                         : toDouble(format, uint16_t(bits + 1));
      double middle = (here + next) / 2;
      uint16_t even = uint16_t(bits + bits % 2);
      for (bool isNegative : {false, true}) {
        auto rounded = [&](double value) {
          return toBits(format, isNegative ? -value : value) ^ (isNegative ? 0x8000 : 0);
        };
        ASSERT_EQ(rounded(here), bits);
        ASSERT_EQ(rounded(middle), even) << bits;
        ASSERT_EQ(rounded(std::nextafter(middle, 0)), bits);
        ASSERT_EQ(rounded(std::nextafter(middle, INFINITY)), bits + 1);
      }
    }
    EXPECT_EQ(toBits(format, INFINITY), infinity);
    EXPECT_EQ(toBits(format, 1e300), infinity);
    EXPECT_EQ(toBits(format, -1e-300), 0x8000);
    EXPECT_EQ(toBits(format, -NAN), infinity | 1 << (format.fraction - 1));
    EXPECT_TRUE(std::isnan(toDouble(format, uint16_t(infinity + 1))));
  }
}

} // namespace
