// Integer multipliers and dividers against the host's arithmetic.
#include "tests/rtl/LongRun.h"
#include "tests/rtl/SlotBench.h"

#include "Vinteger_bench.h"

namespace spindle::rtl {
namespace {

uint64_t low(uint64_t x, unsigned width) { return width == 64 ? x : x & ((1ull << width) - 1); }
int64_t extended(uint64_t x, unsigned width) { return int64_t(x << (64 - width)) >> (64 - width); }

/// The ends of the ranges of width bits, small numbers of both signs, powers of two and neighbours.
std::vector<uint64_t> specialIntegers(unsigned width) {
  std::vector<uint64_t> values;
  for (unsigned bit = 0; bit < width; bit += bit < 4 || bit + 4 > width ? 1 : 5)
    for (uint64_t offset : {-1, 0, 1}) {
      values.push_back(low((1ull << bit) + offset, width));
      values.push_back(low(-((1ull << bit) + offset), width));
    }
  return values;
}

/// All pairs of special values, then numbers of random lengths.
std::function<SlotOperands(uint64_t)> operandsOf(unsigned width, uint64_t seed) {
  return [=, specials = specialIntegers(width), random = CounterRandom(seed)](uint64_t n) mutable {
    if (n < specials.size() * specials.size())
      return SlotOperands{specials[n / specials.size()], specials[n % specials.size()]};
    auto number = [&] {
      uint64_t bits = uint64_t(random()) << 32 | random();
      bits = low(bits, width) >> random.below(width);
      return random.below(4) ? bits : low(-bits, width);
    };
    uint64_t a = number(), b = number();
    return SlotOperands{a, b};
  };
}

struct Division {
  bool isSigned, remainder;
  unsigned width;

  /// C++ has no x / 0 nor smallest / -1: these two are as RISC-V defines them.
  uint64_t operator()(SlotOperands o) const {
    const int64_t a = extended(o.a, width), b = extended(o.b, width);
    if (o.b == 0)
      return remainder ? o.a : low(~0ull, width);
    if (isSigned && b == -1)
      return remainder ? 0 : low(-o.a, width);
    if (isSigned)
      return low(uint64_t(remainder ? a % b : a / b), width);
    return remainder ? o.a % o.b : o.a / o.b;
  }
};

std::vector<Slot> integerUnits() {
  std::vector<Slot> slots;
  auto name = [](const char *operation, unsigned width, uint64_t latency) {
    return operation + std::string(" i") + std::to_string(width) + ", latency " +
           std::to_string(latency);
  };
  for (unsigned i = 0; i < 10; ++i) {
    unsigned width = i < 2 ? 8 : i < 4 ? 16 : i < 7 ? 32 : 64;
    uint64_t latency = i < 4 ? 1 + i % 2 : i < 7 ? i - 3 : i - 5;
    slots.push_back({name("muli", width, latency), latency, 1, operandsOf(width, i),
                     [=](SlotOperands o) { return low(o.a * o.b, width); }, false});
  }
  for (unsigned i = 0; i < 14; ++i) {
    unsigned width = i < 4 ? 32 : i < 8 ? 64 : i < 12 ? 32 : i == 12 ? 8 : 16;
    uint64_t latency = i < 4 ? 18 : i < 8 ? 34 : i < 12 ? 5 + 3 * (i - 8) : i == 12 ? 3 : 18;
    uint64_t interval = i < 8 || i == 13 ? latency - 2 : 1;
    const char *operations[] = {"divsi", "divui", "remsi", "remui"};
    slots.push_back({name(operations[i % 4], width, latency), latency, interval,
                     operandsOf(width, 10 + i), Division{i % 2 == 0, i % 4 >= 2, width}});
  }
  for (unsigned i = 0; i < 6; ++i) {
    unsigned width = i == 0 || i == 3 ? 32 : 64;
    uint64_t latency = i < 2 ? 1 : i == 5 ? 3 : 2;
    unsigned a = i < 2 ? 18 : i == 3 ? 7 : i == 5 ? 64 : 33;
    unsigned b = i < 2 ? 25 : i == 3 ? 32 : i == 5 ? 20 : 33;
    slots.push_back({name("muli of narrow factors", width, latency), latency, 1,
                     operandsOf(width, 24 + i),
                     [=](SlotOperands o) {
                       return low(uint64_t(extended(o.a, a)) * uint64_t(extended(o.b, b)), width);
                     },
                     false});
  }
  return slots;
}

/// Many operations of each pipeline; the others share the cycles, one in 16 to 32 of each.
TEST(IntegerUnits, AgreeWithTheHost) {
  SlotBench<Vinteger_bench> bench(integerUnits(), 1);
  bench.run(longRun());
  for (size_t s = 0; s < 10; ++s)
    EXPECT_GE(bench.checked(s), longRun() - 100) << s;
  for (size_t s = 10; s < 24; ++s)
    EXPECT_GE(bench.checked(s), longRun() / 50) << s;
  for (size_t s = 24; s < 30; ++s)
    EXPECT_GE(bench.checked(s), longRun() - 100) << s;
}

TEST(IntegerUnits, StartAnewAfterReset) {
  SlotBench<Vinteger_bench> bench(integerUnits(), 2);
  bench.run(20'000, true);
}

} // namespace
} // namespace spindle::rtl
