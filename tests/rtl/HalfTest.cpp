// Units of f16 and bf16 against sums, products, quotients and roots in floats, which hold twice the
// digits and more, rounded again.
#include "core/support/CounterRandom.h"
#include "core/support/SmallFloat.h"
#include "tests/rtl/LongRun.h"
#include "tests/rtl/UnitBench.h"

#include "Vhalf_bench.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>

namespace spindle::rtl {
namespace {

constexpr SmallFloat halfFormats[] = {kHalf, kBFloat};

struct HalfOperation {
  uint16_t a, b;
  uint32_t a32;
  uint64_t a64, integer;
  unsigned predicate;
  bool minimum, number, subtract, isValid;
};

struct HalfResults {
  HalfOperation operation;
  // By format: sum, product, quotient, root, comparison, extreme, from f32 and from f64.
  std::array<std::array<uint16_t, 8>, 2> numbers;
  uint32_t to32;
  uint64_t to64;
  std::array<std::array<uint16_t, 2>, 5> fromInteger;
};

/// Hardware has one NaN.
uint32_t floatBits(float value) {
  return std::isnan(value) ? 0x7fc00000 : std::bit_cast<uint32_t>(value);
}
uint64_t doubleBits(double value) {
  return std::isnan(value) ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(value);
}

float extreme(bool minimum, bool number, float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return !number || (std::isnan(a) && std::isnan(b)) ? NAN : std::isnan(a) ? b : a;
  if (a == 0 && b == 0)
    return number ? a : minimum == std::signbit(a) ? a : b;
  return minimum ? std::fmin(a, b) : std::fmax(a, b);
}

/// Of two neighbours the nearer one, in exact arithmetic: bf16 holds every power of two of int64.
uint16_t fromInteger(long double value) {
  uint16_t best = toBits(kBFloat, static_cast<double>(value));
  for (int step : {-1, 1}) {
    auto other = uint16_t(best + step);
    long double mine = std::fabs(value - toDouble(kBFloat, best)),
                its = std::fabs(value - toDouble(kBFloat, other));
    if (value != 0 && (its < mine || (its == mine && other % 2 == 0 && best % 2 == 1)))
      best = other;
  }
  return best;
}

HalfResults resultsOf(const HalfOperation &o) {
  HalfResults results{o, {}, 0, 0, {}};
  for (int f = 0; f < 2; ++f) {
    SmallFloat format = halfFormats[f];
    auto a = float(toDouble(format, o.a)), b = float(toDouble(format, o.b));
    unsigned relation = std::isnan(a) || std::isnan(b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
    results.numbers[size_t(f)] = {toBits(format, o.subtract ? a - b : a + b),
                                  toBits(format, a * b),
                                  toBits(format, a / b),
                                  toBits(format, std::sqrt(a)),
                                  uint16_t((o.predicate & relation) != 0),
                                  toBits(format, extreme(o.minimum, o.number, a, b)),
                                  toBits(format, std::bit_cast<float>(o.a32)),
                                  toBits(format, std::bit_cast<double>(o.a64))};
  }
  results.to32 = floatBits(float(toDouble(kHalf, o.a)));
  results.to64 = doubleBits(toDouble(kHalf, o.a));
  constexpr int sizes[] = {1, 8, 16, 32, 64};
  for (size_t i = 0; i < 5; ++i) {
    uint64_t low = o.integer << (64 - sizes[i]);
    results.fromInteger[i] = {fromInteger(int64_t(low) >> (64 - sizes[i])),
                              fromInteger(low >> (64 - sizes[i]))};
  }
  return results;
}

class HalfBench : public UnitBench<Vhalf_bench, HalfResults> {
public:
  void set(const HalfOperation &o) {
    top.predicate = o.predicate;
    top.minimum = o.minimum;
    top.number = o.number;
    top.subtract = o.subtract;
    top.a = o.a;
    top.b = o.b;
    top.a32 = o.a32;
    top.a64 = o.a64;
    top.integer_a = o.integer;
    top.valid = o.isValid;
  }

  void check() const {
    auto expect = [&](int latency, const char *what, auto found, auto wanted) {
      if (const HalfResults *results = resultOf(latency); results && found != wanted(*results)) {
        ADD_FAILURE() << what << " of " << std::hex << results->operation.a << " and "
                      << results->operation.b << " (" << results->operation.a32 << ", "
                      << results->operation.a64 << ", " << results->operation.integer << "): found "
                      << uint64_t(found) << ", expected " << uint64_t(wanted(*results));
      }
    };
    auto valid = [&](int latency) {
      const HalfResults *results = resultOf(latency);
      return results && results->operation.isValid;
    };
    for (size_t f = 0; f < 2; ++f) {
      auto number = [f](size_t which) {
        return [f, which](const HalfResults &results) { return results.numbers[f][which]; };
      };
      int divides = f == 0 ? 8 : 7, roots = f == 0 ? 8 : 7;
      expect(3, "sum", top.sum[f], number(0));
      expect(2, "product", top.product[f], number(1));
      expect(2, "product in LUTs", top.product_luts[f], number(1));
      expect(divides, "quotient", top.quotient[f], number(2));
      expect(roots, "root", top.root[f], number(3));
      if (valid(divides))
        expect(divides, "quotient, iterated", top.quotient_iterated[f], number(2));
      if (valid(roots))
        expect(roots, "root, iterated", top.root_iterated[f], number(3));
      expect(1, "comparison", uint16_t(top.compare[f]), number(4));
      expect(1, "extreme", top.extreme[f], number(5));
      expect(2, "from f32", top.from32[f], number(6));
      expect(2, "from f64", top.from64[f], number(7));
    }
    expect(1, "to f32", top.to32, [](const HalfResults &results) { return results.to32; });
    expect(1, "to f64", top.to64, [](const HalfResults &results) { return results.to64; });
    for (size_t i = 0; i < 5; ++i) {
      expect(2, "from signed", top.from_signed[i],
             [i](const HalfResults &results) { return results.fromInteger[i][0]; });
      expect(2, "from unsigned", top.from_unsigned[i],
             [i](const HalfResults &results) { return results.fromInteger[i][1]; });
    }
  }
};

/// Numbers of 16 bits are mostly about halfway cases of one format; wider ones lie about a number
/// of the format and its neighbours.
HalfOperation draw(CounterRandom &random, int64_t count) {
  auto any = [&] { return uint64_t(random()) << 32 | random(); };
  auto small = [&] {
    constexpr uint16_t special[] = {0,      1,      2,      0x3ff,  0x400,  0x401, 0x7bff,
                                    0x7c00, 0x7c01, 0x7e00, 0x7f,   0x80,   0x81,  0x7f7f,
                                    0x7f80, 0x7f81, 0x7fc0, 0x3c00, 0x3f80, 0x7fff};
    uint16_t bits = random.below(4) == 0 ? special[random.below(std::size(special))]
                                         : uint16_t(random.below(0x10000));
    return uint16_t(bits | (random.below(2) << 15));
  };
  HalfOperation o{};
  o.a = small();
  o.b = random.below(4) == 0 ? uint16_t(o.a ^ random.below(16) ^ (random.below(2) << 15)) : small();
  SmallFloat format = halfFormats[random.below(2)];
  double near = (toDouble(format, o.a) + toDouble(format, uint16_t(o.a + random.below(2)))) / 2;
  o.a32 = random.below(3) == 0 ? uint32_t(any())
                               : std::bit_cast<uint32_t>(float(near)) + random.below(3) - 1;
  o.a64 = random.below(3) == 0 ? any() : std::bit_cast<uint64_t>(near) + random.below(3) - 1;
  o.integer = any() >> random.below(64);
  if (random.below(2)) // halfway, or next to it
    o.integer = (o.integer | 1) << random.below(56) | random.below(2);
  o.predicate = random.below(16);
  o.minimum = random.below(2);
  o.number = random.below(2);
  o.subtract = random.below(2);
  o.isValid = count % 8 == 0;
  return o;
}

TEST(Half, AgreesWithFloats) {
  HalfBench bench;
  CounterRandom random(7);
  bench.top.rst = 0;
  for (int64_t count = 0; count < int64_t(longRun()) && !testing::Test::HasFailure(); ++count) {
    HalfOperation operation = draw(random, count);
    HalfOperation other = draw(random, count);
    bench.set(operation);
    bench.operate(resultsOf(operation), [&] { bench.set(other); });
    if (count > 16)
      bench.check();
  }
}

/// All numbers of both formats.
TEST(Half, RootsAndConversionsAgreeForAllNumbers) {
  HalfBench bench;
  CounterRandom random(8);
  bench.top.rst = 0;
  for (uint32_t bits = 0; bits < 0x10000 + 16 && !testing::Test::HasFailure(); ++bits) {
    HalfOperation operation = draw(random, bits);
    operation.a = uint16_t(bits);
    bench.set(operation);
    bench.operate(resultsOf(operation), [&] { bench.set(operation); });
    if (bits > 16)
      bench.check();
  }
}

} // namespace
} // namespace spindle::rtl
