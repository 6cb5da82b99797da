// Floating-point dividers and square roots against the host's arithmetic.
#include "tests/rtl/FloatOperands.h"
#include "tests/rtl/LongRun.h"
#include "tests/rtl/SlotBench.h"

#include "Vdivide_bench.h"

#include <cmath>

namespace spindle::rtl {
namespace {

uint64_t quotient32(SlotOperands o) {
  return f32Format.canonical(bitsOf(floatOf(o.a) / floatOf(o.b)));
}
uint64_t quotient64(SlotOperands o) {
  return f64Format.canonical(bitsOf(doubleOf(o.a) / doubleOf(o.b)));
}
uint64_t root32(SlotOperands o) { return f32Format.canonical(bitsOf(std::sqrt(floatOf(o.a)))); }
uint64_t root64(SlotOperands o) { return f64Format.canonical(bitsOf(std::sqrt(doubleOf(o.a)))); }

/// The operand whose quotient by, or root of, comes close to a halfway case: products of p + 1
/// bits.
uint64_t nearHalfway(FloatFormat format, uint64_t x, uint64_t b, bool root) {
  auto product = [&](auto p, auto q) { return bitsOf(p * q); };
  if (root)
    b = x;
  return format.fraction == 23 ? product(floatOf(x), floatOf(b))
                               : product(doubleOf(x), doubleOf(b));
}

/// All pairs of special values (for roots: twice), then mixed ones.
std::function<SlotOperands(uint64_t)> operandsOf(FloatFormat format, bool root, uint64_t seed) {
  return [=, specials = specialValues(format),
          pairs = OperandPairs(format, seed)](uint64_t n) mutable {
    if (n < specials.size() * specials.size())
      return SlotOperands{specials[n % specials.size()], specials[n / specials.size()]};
    OperandPair p = pairs.next();
    if (pairs.source().below(4) == 0) {
      p.a = nearHalfway(format, p.a, p.b, root);
      p.a += pairs.source().below(3) - 1ull;
      p.a &= 2 * format.signBit() - 1;
    }
    if (root && pairs.source().below(8))
      p.a &= ~format.signBit();
    return SlotOperands{p.a, p.b};
  };
}

/// Four of each kind: two that go round, a pipeline, one of stages that go round, and the pipeline
/// of the target.
constexpr unsigned kUnits = 20;

std::vector<Slot> dividers() {
  const uint64_t latencies32[] = {12, 10, 8, 9, 12}, latencies64[] = {31, 22, 17, 28, 31};
  std::vector<Slot> slots;
  for (unsigned i = 0; i < kUnits; ++i) {
    const unsigned kind = i / 4;
    const bool isDouble = i % 2, root = i % 4 >= 2;
    const uint64_t others = root ? 2 : 3; // cycles that are no steps
    const uint64_t latency =
        (isDouble ? latencies64[kind] : latencies32[kind]) + (kind == 3 ? others : 0);
    const uint64_t interval = kind == 2 || kind == 4 ? 1
                              : kind == 3            ? (isDouble ? 7 : 3)
                                                     : latency - others;
    std::string name = root ? "sqrt" : "divf";
    name += (isDouble ? " f64, latency " : " f32, latency ") + std::to_string(latency);
    name += ", interval " + std::to_string(interval);
    slots.push_back({name, latency, interval, operandsOf(isDouble ? f64Format : f32Format, root, i),
                     root ? (isDouble ? root64 : root32) : (isDouble ? quotient64 : quotient32)});
  }
  return slots;
}

/// Many operations of each pipeline and what fits beside them of the units that go round,
/// which do the same steps.
TEST(Dividers, AgreeWithTheHost) {
  SlotBench<Vdivide_bench> bench(dividers(), 1);
  bench.run(longRun());
  for (size_t s = 0; s < kUnits; ++s)
    EXPECT_GE(bench.checked(s), s / 4 == 2 || s / 4 == 4 ? longRun() - 100 : longRun() / 40) << s;
}

TEST(Dividers, StartAnewAfterReset) {
  SlotBench<Vdivide_bench> bench(dividers(), 2);
  bench.run(20'000, true);
}

} // namespace
} // namespace spindle::rtl
