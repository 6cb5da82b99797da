#include "hw/rtl/model/Logarithms.h"

#include "gtest/gtest.h"

namespace spindle::hls {
namespace {

/// ln((q + 1) / (q - 1)) = 2 (1/q + 1/(3 q^3) + 1/(5 q^5) + …) in units of 2^-120.
unsigned __int128 byAreaTangent(uint64_t q) {
  unsigned __int128 power = ((unsigned __int128)(1) << 121) / q, sum = 0;
  for (unsigned n = 1; power; n += 2) {
    sum += power / n;
    power = power / q / q;
  }
  return sum;
}

/// Each term of the series is up to 1 too small, so the sum is a little below; ours are rounded
/// down.
void expectEqual(Logarithm found, unsigned __int128 exact) {
  unsigned __int128 low = exact >> 8, high = (exact + 200) >> 8;
  const auto bits = (unsigned __int128)(found.bits(112));
  EXPECT_TRUE(bits == low || bits == high);
}

TEST(Logarithms, AreThoseOfTheSeries) {
  for (int i = 1; i <= mostLogarithms; ++i) {
    expectEqual(logarithmsAbove[i - 1], byAreaTangent((uint64_t(1) << (i + 1)) + 1));
    expectEqual(logarithmsBelow[i - 1], byAreaTangent((uint64_t(1) << (i + 1)) - 1));
  }
  expectEqual(logarithmOfTwo, byAreaTangent(3));
}

} // namespace
} // namespace spindle::hls
