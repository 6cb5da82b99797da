#include "hw/rtl/model/Exp.h"

#include "tests/rtl/ElementaryOperands.h"
#include "tests/rtl/model/Ulps.h"
#include "gtest/gtest.h"

namespace spindle::rtl {
namespace {

template <class T> class UnitExp : public testing::Test {};
using Formats = testing::Types<float, double>;
TYPED_TEST_SUITE(UnitExp, Formats);

TYPED_TEST(UnitExp, SpecialValuesAreThoseOfAnnexF) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(bitsOf(hls::unitExp(T(0))), bitsOf(T(1)));
  EXPECT_EQ(bitsOf(hls::unitExp(T(-0.0))), bitsOf(T(1)));
  EXPECT_EQ(bitsOf(hls::unitExp(-infinity)), bitsOf(T(0)));
  EXPECT_EQ(bitsOf(hls::unitExp(infinity)), bitsOf(infinity));
  EXPECT_EQ(bitsOf(hls::unitExp(nan)), ElementaryOperands<T>::format().canonicalNan());
  EXPECT_EQ(bitsOf(hls::unitExp(-nan)), ElementaryOperands<T>::format().canonicalNan());
  const ElementaryOperands<T> operands(1);
  for (uint64_t bits : operands.specialOperands()) {
    const T x = ElementaryOperands<T>::valueOf(bits);
    EXPECT_PRED2(isWithinOneUlp<T>, hls::unitExp(x), std::exp(x)) << x;
  }
}

/// long double has 11 more bits: its own error is below 0.001 units of a double.
TYPED_TEST(UnitExp, IsWithinItsErrorBound) {
  using T = TypeParam;
  ElementaryOperands<T> operands(2);
  double worst = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const T x = ElementaryOperands<T>::valueOf(operands.argument()), y = hls::unitExp(x);
    ASSERT_PRED2(isWithinOneUlp<T>, y, std::exp(x)) << x;
    if (!std::isnan(x))
      worst = std::max(worst, ulpsFrom(y, std::exp((long double)(x))));
  }
  EXPECT_LE(worst, 0.505);
}

} // namespace
} // namespace spindle::rtl
