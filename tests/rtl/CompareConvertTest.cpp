// Comparisons, minima and maxima, and conversions against the host's arithmetic.
#include "tests/rtl/FloatOperands.h"
#include "tests/rtl/LongRun.h"
#include "tests/rtl/UnitBench.h"

#include "Vcompare_convert_bench.h"
#include "gtest/gtest.h"

#include <cmath>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spindle::rtl {
namespace {

// As in the bench.
constexpr std::array<int, 10> integerWidths{1, 8, 31, 33, 32, 32, 32, 64, 64, 64};
constexpr std::array<int, 10> conversionLatencies{2, 4, 1, 3, 1, 2, 6, 1, 3, 5};

struct CompareOperation {
  OperandPair p32, p64;
  uint64_t integer;
  unsigned predicate; // LLVM's number: a bit each for equal, greater, less, unordered
  bool minimum, number;
};

struct CompareResults {
  CompareOperation operation;
  std::array<uint64_t, 6> simple; // compare, extreme of f32 and f64; extended, truncated
  std::array<std::array<uint64_t, 8>, 10>
      converted; // from signed and unsigned, to signed and unsigned
};

uint64_t lowBits(uint64_t value, int width) {
  return width == 64 ? value : value & ((uint64_t(1) << width) - 1);
}

template <class Float> bool compare(unsigned predicate, Float a, Float b) {
  return (predicate & 1 && a == b) || (predicate & 2 && a > b) || (predicate & 4 && a < b) ||
         (predicate & 8 && (std::isnan(a) || std::isnan(b)));
}

template <class Float> Float extreme(bool minimum, bool number, Float a, Float b) {
  if (std::isnan(a) || std::isnan(b))
    return !number || (std::isnan(a) && std::isnan(b)) ? Float(NAN) : std::isnan(a) ? b : a;
  if (a == 0 && b == 0)
    return number ? a : minimum == std::signbit(a) ? a : b;
  return minimum ? std::fmin(a, b) : std::fmax(a, b);
}

/// What the signed conversions of x86-64 give: the least integer for all that does not fit.
int64_t truncateSigned(double x, int core) {
  const double end = std::ldexp(1.0, core - 1);
  return std::trunc(x) >= -end && std::trunc(x) < end ? int64_t(x)
         : core == 32                                 ? INT32_MIN
                                                      : INT64_MIN;
}
uint64_t toSigned(double x, int width) {
  return lowBits(uint64_t(truncateSigned(x, width <= 32 ? 32 : 64)), width);
}
uint64_t toUnsigned(double x, int width) {
  if (width == 64 && x >= 0x1p63 && x < 0x1p64)
    return uint64_t(x);
  return lowBits(uint64_t(truncateSigned(x, width < 32 ? 32 : 64)), width);
}

CompareResults hostResults(const CompareOperation &o) {
  const float a = floatOf(o.p32.a), b = floatOf(o.p32.b);
  const double c = doubleOf(o.p64.a), d = doubleOf(o.p64.b);
  CompareResults results{o,
                         {compare(o.predicate, a, b), compare(o.predicate, c, d),
                          f32Format.canonical(bitsOf(extreme(o.minimum, o.number, a, b))),
                          f64Format.canonical(bitsOf(extreme(o.minimum, o.number, c, d))),
                          f64Format.canonical(bitsOf(double(a))),
                          f32Format.canonical(bitsOf(float(c)))},
                         {}};
  for (size_t i = 0; i < integerWidths.size(); ++i) {
    const uint64_t u = lowBits(o.integer, integerWidths[i]);
    const int64_t s = int64_t(u << (64 - integerWidths[i])) >> (64 - integerWidths[i]);
    results.converted[i] = {bitsOf(float(s)),
                            bitsOf(float(u)),
                            bitsOf(double(s)),
                            bitsOf(double(u)),
                            toSigned(a, integerWidths[i]),
                            toUnsigned(a, integerWidths[i]),
                            toSigned(c, integerWidths[i]),
                            toUnsigned(c, integerWidths[i])};
  }
  return results;
}

class CompareConvert : public testing::Test {
protected:
  UnitBench<Vcompare_convert_bench, CompareResults> bench;

  /// False at the first wrong result.
  bool check(const CompareOperation &operation) {
    set(operation);
    bench.operate(hostResults(operation), [&] {
      set({{operation.p32.b, ~operation.p32.a},
           {~operation.p64.b, operation.p64.a},
           ~operation.integer,
           15 - operation.predicate,
           !operation.minimum,
           !operation.number});
    });
    const auto &top = bench.top;
    for (int latency = 1; latency <= 4; ++latency)
      if (const CompareResults *r = bench.resultOf(latency)) {
        const int i = latency - 1;
        const decltype(r->simple) found{top.compare32[i], top.compare64[i], top.extreme32[i],
                                        top.extreme64[i], top.extended[i],  top.truncated[i]};
        if (found != r->simple) {
          report(r->operation, "compare32 compare64 extreme32 extreme64 extf truncf", latency,
                 found, r->simple);
          return false;
        }
      }
    for (size_t i = 0; i < integerWidths.size(); ++i)
      if (const CompareResults *r = bench.resultOf(conversionLatencies[i])) {
        const std::array<uint64_t, 8> found{top.from_signed32[i], top.from_unsigned32[i],
                                            top.from_signed64[i], top.from_unsigned64[i],
                                            top.to_signed32[i],   top.to_unsigned32[i],
                                            top.to_signed64[i],   top.to_unsigned64[i]};
        if (found != r->converted[i]) {
          report(r->operation,
                 "sitofp32 uitofp32 sitofp64 uitofp64 fptosi32 fptoui32 fptosi64 fptoui64, width " +
                     std::to_string(integerWidths[i]),
                 conversionLatencies[i], found, r->converted[i]);
          return false;
        }
      }
    return true;
  }

private:
  void set(const CompareOperation &o) {
    bench.top.a32 = uint32_t(o.p32.a);
    bench.top.b32 = uint32_t(o.p32.b);
    bench.top.a64 = o.p64.a;
    bench.top.b64 = o.p64.b;
    bench.top.integer_a = o.integer;
    bench.top.predicate = o.predicate & 15;
    bench.top.minimum = o.minimum;
    bench.top.number = o.number;
  }
  template <class Values>
  void report(const CompareOperation &o, const std::string &what, int latency, const Values &found,
              const Values &expected) {
    testing::Message failure;
    failure << what << ", latency " << latency << std::hex << "\nf32 " << o.p32.a << ' ' << o.p32.b
            << ", f64 " << o.p64.a << ' ' << o.p64.b << ", integer " << o.integer << ", predicate "
            << o.predicate << (o.minimum ? ", minimum" : ", maximum")
            << (o.number ? " number" : "");
    for (size_t i = 0; i < found.size(); ++i)
      failure << '\n' << found[i] << ", expected " << expected[i];
    ADD_FAILURE() << failure;
  }
};

/// Integers about powers of two, with few ones, and uniform ones of every width.
uint64_t randomInteger(CounterRandom &random) {
  const uint64_t bits = uint64_t(random()) << 32 | random();
  const uint64_t power = uint64_t(1) << random.below(64);
  switch (random.below(4)) {
  case 0:
    return power + random.below(5) - 2;
  case 1:
    return (power | uint64_t(1) << random.below(64) | uint64_t(1) << random.below(64)) -
           random.below(2);
  case 2:
    return -(bits >> random.below(64));
  default:
    return bits >> random.below(64);
  }
}

TEST_F(CompareConvert, AgreesOnAllPairsOfSpecialValues) {
  const auto values32 = specialValues(f32Format), values64 = specialValues(f64Format);
  CounterRandom random(5);
  for (size_t i = 0; i < values32.size(); ++i)
    for (size_t j = 0; j < values32.size(); ++j)
      for (unsigned predicate = 0; predicate < 16; ++predicate)
        if (!check({{values32[i], values32[j]},
                    {values64[i], values64[j]},
                    randomInteger(random),
                    predicate,
                    bool(predicate & 1),
                    bool(predicate & 2)}))
          return;
}

TEST_F(CompareConvert, AgreesOnRandomOperands) {
  OperandPairs pairs32(f32Format, 132), pairs64(f64Format, 164);
  CounterRandom random(7);
  for (uint64_t i = 0; i < longRun(); ++i) {
    CompareOperation operation{pairs32.next(),   pairs64.next(),        randomInteger(random),
                               random.below(16), bool(random.below(2)), bool(random.below(2))};
    switch (random.below(4)) { // half of them in or about the range of integers, or of f32
    case 0: {
      const int power = int(random.below(68)) - 2;
      operation.p32.a = f32Format.pack(random() & 1, f32Format.bias() + power, pairs32.bits());
      operation.p64.a = f64Format.pack(random() & 1, f64Format.bias() + power, pairs64.bits());
      break;
    }
    case 1: {
      const int field = f64Format.bias() - f32Format.bias() + int(random.below(300)) - 30;
      const uint64_t mask =
          random.below(2) ? ~uint64_t(0) : ~uint64_t(0) << random.below(53); // ties
      operation.p64.a = f64Format.pack(random() & 1, field, pairs64.bits() & mask);
      break;
    }
    default:
      break;
    }
    if (!check(operation))
      return;
  }
}

#ifdef __SSE2__
TEST(CompareConvertReference, IsWhatTheProcessorConverts) {
  for (uint64_t bits : specialValues(f64Format)) {
    const __m128d x = _mm_set_sd(doubleOf(bits));
    EXPECT_EQ(toSigned(doubleOf(bits), 32), uint32_t(_mm_cvttsd_si32(x)));
    EXPECT_EQ(toSigned(doubleOf(bits), 64), uint64_t(_mm_cvttsd_si64(x)));
    EXPECT_EQ(toUnsigned(doubleOf(bits), 32), uint32_t(_mm_cvttsd_si64(x)));
  }
}
#endif

} // namespace
} // namespace spindle::rtl
