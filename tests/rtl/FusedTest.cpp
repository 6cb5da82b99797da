// Fused multiply and add: f32 and f64 against fma of the C library, numbers of 16 bits against
// exact products whose sum is rounded to odd and then once more.
#include "core/support/SmallFloat.h"
#include "tests/rtl/FloatOperands.h"
#include "tests/rtl/LongRun.h"
#include "tests/rtl/UnitBench.h"

#include "Vfused_bench.h"
#include "gtest/gtest.h"

#include <cmath>

namespace spindle::rtl {
namespace {

constexpr FloatFormat f16Format{5, 10}, bf16Format{8, 7};

struct FusedTriple {
  uint64_t a, b, c;
};

struct Operands {
  FusedTriple bits16, bits32, bits64;
};

struct FusedResults {
  Operands operands;
  uint64_t half, brain, single, wide;
};

/// Products of halves are exact in doubles. What their sum loses is told by Knuth's two sums, and
/// left in the last bit.
uint16_t fusedHalf(const SmallFloat &format, FusedTriple t) {
  double product = toDouble(format, uint16_t(t.a)) * toDouble(format, uint16_t(t.b));
  double addend = toDouble(format, uint16_t(t.c)), sum = product + addend;
  if (!std::isfinite(sum))
    return toBits(format, sum);
  double part = sum - product, lost = (product - (sum - part)) + (addend - part);
  if (lost != 0 && std::bit_cast<uint64_t>(sum) % 2 == 0)
    sum = std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  return toBits(format, sum);
}

FusedResults hostResults(const Operands &o) {
  return {o, fusedHalf(kHalf, o.bits16), fusedHalf(kBFloat, o.bits16),
          f32Format.canonical(
              bitsOf(std::fma(floatOf(o.bits32.a), floatOf(o.bits32.b), floatOf(o.bits32.c)))),
          f64Format.canonical(
              bitsOf(std::fma(doubleOf(o.bits64.a), doubleOf(o.bits64.b), doubleOf(o.bits64.c))))};
}

/// Addends about minus the product, which nearly cancel; about its last digits and below, where
/// they decide a rounding; a special value; anything.
class Triples {
public:
  Triples(FloatFormat operandFormat, uint64_t seed)
      : format(operandFormat), pairs(operandFormat, seed), others(operandFormat, seed + 1),
        specials(specialValues(operandFormat)) {}

  FusedTriple next() {
    auto [a, b] = pairs.next();
    CounterRandom &random = pairs.source();
    auto field = [&](uint64_t x) {
      return int(x >> format.fraction) & ((1 << format.exponent) - 1);
    };
    int product = field(a) + field(b) - format.bias();
    auto any = [&] { return uint64_t(random()) << 32 | random(); };
    switch (random.below(6)) {
    case 0:
      return {a, b, others.next().a};
    case 1: // the rounded product, or a neighbour, with the other sign
      return {a, b, near(a, b) ^ format.signBit()};
    case 2: {
      int width = 3 * format.fraction + 12;
      return {a, b,
              format.pack(random() & 1, product + int(random.below(uint32_t(2 * width))) - width,
                          random.below(2) ? any() : uint64_t(random.below(3)))};
    }
    case 3: // a half or a quarter of the product's last digit, and next to that
      return {a, b,
              format.pack(random() & 1, product - format.fraction - int(random.below(4)),
                          uint64_t(int64_t(random.below(3)) - 1))};
    case 4:
      return {a, b, specials[random.below(uint32_t(specials.size()))]};
    default:
      return {specials[random.below(uint32_t(specials.size()))], a, b};
    }
  }

private:
  uint64_t near(uint64_t a, uint64_t b) {
    uint64_t step = pairs.source().below(3) - uint64_t(1), mask = 2 * format.signBit() - 1;
    if (format.fraction == 52)
      return (bitsOf(doubleOf(a) * doubleOf(b)) + step) & mask;
    if (format.fraction == 23)
      return (bitsOf(floatOf(a) * floatOf(b)) + step) & mask;
    const SmallFloat &small = format.fraction == 10 ? kHalf : kBFloat;
    return (toBits(small, toDouble(small, uint16_t(a)) * toDouble(small, uint16_t(b))) + step) &
           mask;
  }

  FloatFormat format;
  OperandPairs pairs, others;
  std::vector<uint64_t> specials;
};

class Fused : public testing::Test {
protected:
  UnitBench<Vfused_bench, FusedResults> bench;

  /// False at the first wrong result.
  bool check(const Operands &operands) {
    set(operands);
    bench.operate(hostResults(operands), [&] {
      auto turned = [](FusedTriple t) { return FusedTriple{t.c, ~t.a, t.b}; };
      set({turned(operands.bits16), turned(operands.bits32), turned(operands.bits64)});
    });
    for (int latency = 1; latency <= 9; ++latency) {
      const FusedResults *r = bench.resultOf(latency);
      const auto &top = bench.top;
      const int i = latency - 1;
      if (r && (top.half[i] != r->half || top.brain[i] != r->brain || top.single[i] != r->single ||
                top.wide[i] != r->wide)) {
        report(*r, latency);
        return false;
      }
    }
    return true;
  }

private:
  void set(const Operands &o) {
    auto &top = bench.top;
    top.a16 = uint16_t(o.bits16.a), top.b16 = uint16_t(o.bits16.b), top.c16 = uint16_t(o.bits16.c);
    top.a32 = uint32_t(o.bits32.a), top.b32 = uint32_t(o.bits32.b), top.c32 = uint32_t(o.bits32.c);
    top.a64 = o.bits64.a, top.b64 = o.bits64.b, top.c64 = o.bits64.c;
  }
  void report(const FusedResults &r, int latency) {
    const auto &top = bench.top;
    const int i = latency - 1;
    auto text = [](FusedTriple t) {
      char line[64];
      std::snprintf(line, sizeof line, "%lx %lx %lx", t.a, t.b, t.c);
      return std::string(line);
    };
    ADD_FAILURE() << "latency " << latency << std::hex << "\n16 " << text(r.operands.bits16)
                  << ": f16 " << top.half[i] << ", expected " << r.half << "; bf16 " << top.brain[i]
                  << ", expected " << r.brain << "\nf32 " << text(r.operands.bits32) << ": "
                  << top.single[i] << ", expected " << r.single << "\nf64 "
                  << text(r.operands.bits64) << ": " << top.wide[i] << ", expected " << r.wide;
  }
};

TEST_F(Fused, AgreesOnTriplesOfSpecialValues) {
  const auto values32 = specialValues(f32Format), values64 = specialValues(f64Format);
  const auto half = specialValues(f16Format), brain = specialValues(bf16Format);
  CounterRandom random(3);
  const size_t n = values32.size();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (int turn = 0; turn < 12; ++turn) {
        size_t k = random.below(uint32_t(n));
        const auto &values16 = turn % 2 ? half : brain;
        if (!check({{values16[i], values16[j], values16[k]},
                    {values32[i], values32[j], values32[k]},
                    {values64[i], values64[j], values64[k]}}))
          return;
      }
}

TEST_F(Fused, AgreesOnRandomOperands) {
  Triples half(f16Format, 16), brain(bf16Format, 17), single(f32Format, 32), wide(f64Format, 64);
  for (uint64_t i = 0; i < longRun(); ++i)
    if (!check({i % 2 ? half.next() : brain.next(), single.next(), wide.next()}))
      return;
}

} // namespace
} // namespace spindle::rtl
