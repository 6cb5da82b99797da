#include "hw/rtl/model/Log.h"

#include "tests/rtl/ElementaryOperands.h"
#include "tests/rtl/model/Ulps.h"
#include "gtest/gtest.h"

namespace spindle::rtl {
namespace {

template <class T> class UnitLog : public testing::Test {};
using Formats = testing::Types<float, double>;
TYPED_TEST_SUITE(UnitLog, Formats);

TYPED_TEST(UnitLog, SpecialValuesAreThoseOfAnnexF) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const uint64_t canonical = ElementaryOperands<T>::format().canonicalNan();
  EXPECT_EQ(bitsOf(hls::unitLog(T(1))), bitsOf(T(0)));
  EXPECT_EQ(bitsOf(hls::unitLog(T(0))), bitsOf(-infinity));
  EXPECT_EQ(bitsOf(hls::unitLog(T(-0.0))), bitsOf(-infinity));
  EXPECT_EQ(bitsOf(hls::unitLog(infinity)), bitsOf(infinity));
  for (T x : {-infinity, T(-1), T(-1e-30), nan, -nan})
    EXPECT_EQ(bitsOf(hls::unitLog(x)), canonical) << x;
  const ElementaryOperands<T> operands(1);
  for (uint64_t bits : operands.specialOperands()) {
    const T x = ElementaryOperands<T>::valueOf(bits);
    EXPECT_PRED2(isWithinOneUlp<T>, hls::unitLog(x), std::log(x)) << x;
  }
}

/// Of all magnitudes, and close to 1, where the digits of the significand cancel.
TYPED_TEST(UnitLog, IsWithinItsErrorBound) {
  using T = TypeParam;
  CounterRandom random(2);
  const FloatFormat format = ElementaryOperands<T>::format();
  double worst = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t bits = (uint64_t(random()) << 32 | random()) & (format.signBit() - 1);
    T x = ElementaryOperands<T>::valueOf(bits);
    if (random.below(2))
      x = T(1 + std::ldexp(2 * random.uniform() - 1,
                           -int(random.below(uint32_t(format.fraction) + 2))));
    const T y = hls::unitLog(x);
    ASSERT_PRED2(isWithinOneUlp<T>, y, std::log(x)) << x;
    if (!std::isnan(y))
      worst = std::max(worst, ulpsFrom(y, std::log((long double)(x))));
  }
  EXPECT_LE(worst, 0.501);
}

} // namespace
} // namespace spindle::rtl
