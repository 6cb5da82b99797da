// Two products of one DSP block against the host's arithmetic: all triples of bytes with and
// without sign, and random factors of other sizes that fit.
#include "tests/rtl/LongRun.h"

#include "core/support/CounterRandom.h"

#include "Vmultiply_pair_bench.h"
#include "gtest/gtest.h"

#include <deque>
#include <utility>

namespace spindle::rtl {
namespace {

void edge(Vmultiply_pair_bench &top) {
  top.clk = 0;
  top.eval();
  top.clk = 1;
  top.eval();
}

uint64_t lowOf(int64_t x, unsigned bits) { return uint64_t(x) & ((uint64_t(1) << bits) - 1); }
uint64_t pairOf(int64_t a, int64_t b, int64_t c, unsigned width) {
  return lowOf(a * c, width) << width | lowOf(b * c, width);
}

/// Which of a, b, c are bytes without sign, one bit each: 2^24 triples.
class AllBytes : public ::testing::TestWithParam<unsigned> {};

TEST_P(AllBytes, AgreeWithTheHost) {
  auto number = [](unsigned byte, bool isPlain) { return isPlain ? int(byte) : int(int8_t(byte)); };
  bool plainA = GetParam() & 1, plainB = GetParam() & 2, plainC = GetParam() & 4;
  Vmultiply_pair_bench top;
  top.ce = 1;
  top.has_sign = !(plainB && plainC);
  uint64_t wrong = 0;
  for (unsigned n = 0; n < 1u << 20; ++n) {
    int a = number(n & 255, plainA), b = number(n >> 8 & 255, plainB);
    top.a = uint16_t(lowOf(a, 9));
    top.b = uint16_t(lowOf(b, 9));
    int c[16];
    for (unsigned lane = 0; lane < 16; ++lane) {
      c[lane] = number((n >> 16) * 16 + lane, plainC);
      top.c[lane] = uint16_t(lowOf(c[lane], 9));
    }
    edge(top);
    for (unsigned lane = 0; lane < 16; ++lane)
      wrong += top.y[lane] != pairOf(a, b, c[lane], 16);
  }
  EXPECT_EQ(wrong, 0u);
}

INSTANTIATE_TEST_SUITE_P(MultiplyPair, AllBytes, ::testing::Range(0u, 8u));

struct Size {
  unsigned width, a, b, c, shift, latency;
};
constexpr Size kSizes[] = {
    {16, 9, 16, 16, 16, 1}, {16, 11, 16, 16, 16, 2}, {8, 8, 8, 8, 16, 3}, {32, 12, 6, 18, 12, 1}};

/// Any number of so many bits, short ones as often as long ones, the ends often.
int64_t drawn(CounterRandom &random, unsigned bits) {
  unsigned length = 1 + random.below(bits);
  int64_t most = (int64_t(1) << (length - 1)) - 1;
  if (random.below(8) == 0)
    return random.below(2) ? most : -most - 1;
  return int64_t(random()) % (most + 1) - (random.below(2) ? most + 1 : 0);
}

struct Factors {
  int64_t a, b, c;
  bool hasSign;
};

/// Random factors for which the header of the unit promises a result.
Factors fitting(CounterRandom &random, const Size &size) {
  while (true) {
    Factors t{drawn(random, size.a), drawn(random, size.b), drawn(random, size.c), true};
    int64_t product = t.b * t.c, half = int64_t(1) << (size.shift - 1);
    int64_t factor = t.a * 2 * half + t.b, most = int64_t(1) << (size.a + size.shift - 1);
    if (factor < -most || factor >= most)
      continue;
    bool fitsPlain = product >= 0 && product < 2 * half;
    bool fitsSigned = product >= -half && product < half;
    if (!fitsPlain && !fitsSigned)
      continue;
    t.hasSign = fitsSigned && (!fitsPlain || random.below(2));
    return t;
  }
}

/// The clock is held now and then, with other factors at the inputs.
TEST(MultiplyPair, OtherSizesAgreeWithTheHost) {
  Vmultiply_pair_bench top;
  CounterRandom random(1);
  std::deque<uint64_t> expected[4];
  uint64_t compared = 0, wrong = 0;
  for (uint64_t cycle = 0; cycle < longRun(); ++cycle) {
    top.ce = random.below(8) != 0;
    for (unsigned n = 0; n < 4; ++n) {
      const Size &size = kSizes[n];
      Factors t = fitting(random, size);
      top.other_has_sign[n] = t.hasSign;
      top.other_a[n] = lowOf(t.a, size.a);
      top.other_b[n] = lowOf(t.b, size.b);
      top.other_c[n] = lowOf(t.c, size.c);
      if (top.ce)
        expected[n].push_back(pairOf(t.a, t.b, t.c, size.width));
    }
    edge(top);
    for (unsigned n = 0; n < 4; ++n) {
      if (expected[n].size() > kSizes[n].latency)
        expected[n].pop_front();
      if (expected[n].size() < kSizes[n].latency)
        continue;
      ++compared;
      wrong += top.other_y[n] != expected[n].front();
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GE(compared, 4 * longRun() - 100);
}

} // namespace
} // namespace spindle::rtl
