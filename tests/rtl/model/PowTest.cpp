#include "hw/rtl/model/Pow.h"

#include "tests/rtl/ElementaryOperands.h"
#include "tests/rtl/model/Ulps.h"
#include "gtest/gtest.h"

namespace spindle::rtl {
namespace {

template <class T> class UnitPow : public testing::Test {};
using Formats = testing::Types<float, double>;
TYPED_TEST_SUITE(UnitPow, Formats);

/// C99 F.9.4.4, line by line; where a line holds for many operands, for some of each kind.
TYPED_TEST(UnitPow, SpecialValuesAreThoseOfAnnexF) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  auto expect = [](T x, T y, T result) {
    EXPECT_PRED2(isSame<T>, hls::unitPow(x, y), result) << x << ' ' << y;
  };
  for (T odd : {T(1), T(3), T(5), T(1001)})
    for (T sign : {T(1), T(-1)}) {
      expect(sign * T(0), -odd, sign * infinity);
      expect(sign * T(0), odd, sign * T(0));
      expect(sign * infinity, -odd, sign * T(0));
      expect(sign * infinity, odd, sign * infinity);
    }
  for (T other : {T(2), T(1000), T(0.5), T(2.5), infinity})
    for (T sign : {T(1), T(-1)}) {
      expect(sign * T(0), -other, infinity);
      expect(sign * T(0), other, T(0));
      expect(sign * infinity, -other, T(0));
      expect(sign * infinity, other, infinity);
    }
  for (T any : {T(0), T(-0.0), T(1), T(-1), T(2.5), infinity, -infinity, nan}) {
    expect(T(1), any, T(1));
    expect(any, T(0), T(1));
    expect(any, T(-0.0), T(1));
  }
  for (T sign : {T(1), T(-1)}) {
    expect(T(-1), sign * infinity, T(1));
    for (T small : {T(0.5), T(0.999), T(1e-30)}) {
      expect(sign * small, infinity, T(0));
      expect(sign * small, -infinity, infinity);
    }
    for (T large : {T(2), T(1.001), T(1e30)}) {
      expect(sign * large, infinity, infinity);
      expect(sign * large, -infinity, T(0));
    }
  }
  for (T fractional : {T(0.5), T(-2.5), T(1) / 3})
    expect(T(-2), fractional, nan);
  expect(nan, T(2), nan);
  expect(T(2), nan, nan);
}

/// Of those Annex F says nothing; ours are as quiet ones.
template <class T> bool isSignalling(uint64_t number) {
  const FloatFormat format = ElementaryOperands<T>::format();
  return format.isNan(number) && !(number >> (format.fraction - 1) & 1);
}

TYPED_TEST(UnitPow, IsThatOfTheHostForAllPairsOfSpecialValues) {
  using T = TypeParam;
  const ElementaryOperands<T> operands(1);
  for (uint64_t a : operands.specialOperands())
    for (uint64_t b : operands.specialOperands()) {
      const T x = ElementaryOperands<T>::valueOf(a), y = ElementaryOperands<T>::valueOf(b);
      if (!isSignalling<T>(a) && !isSignalling<T>(b)) {
        EXPECT_PRED2(isWithinOneUlp<T>, hls::unitPow(x, y), std::pow(x, y)) << x << ' ' << y;
      }
    }
}

TYPED_TEST(UnitPow, PowersThatAreNumbersAreExact) {
  using T = TypeParam;
  for (int x = -40; x <= 40; ++x)
    for (int y = 0; y <= 4; ++y) {
      T product = 1;
      for (int i = 0; i < y; ++i)
        product *= T(x);
      EXPECT_EQ(bitsOf(hls::unitPow(T(x), T(y))), bitsOf(product)) << x << ' ' << y;
    }
  for (int x = 1; x <= 1000; ++x)
    EXPECT_EQ(hls::unitPow(T(x * x), T(0.5)), T(x));
}

TYPED_TEST(UnitPow, IsWithinItsErrorBound) {
  using T = TypeParam;
  ElementaryOperands<T> operands(2);
  double worst = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const OperandPair pair = operands.pair();
    const T x = ElementaryOperands<T>::valueOf(pair.a), y = ElementaryOperands<T>::valueOf(pair.b);
    const T found = hls::unitPow(x, y);
    ASSERT_PRED2(isWithinOneUlp<T>, found, std::pow(x, y)) << x << ' ' << y;
    if (!std::isnan(found))
      worst = std::max(worst, ulpsFrom(found, std::pow((long double)(x), (long double)(y))));
  }
  EXPECT_LE(worst, 0.51);
}

} // namespace
} // namespace spindle::rtl
