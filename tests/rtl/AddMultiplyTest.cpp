// Floating-point adders and multipliers against the host's arithmetic.
#include "tests/rtl/FloatOperands.h"
#include "tests/rtl/LongRun.h"
#include "tests/rtl/UnitBench.h"

#include "Vadd_multiply_bench.h"
#include "gtest/gtest.h"

namespace spindle::rtl {
namespace {

struct SumResults {
  uint64_t sum32, product32, sum64, product64;
  OperandPair operands32, operands64;
  bool subtract;
};

SumResults hostResults(OperandPair p32, OperandPair p64, bool subtract) {
  const float a = floatOf(p32.a), b = floatOf(p32.b);
  const double c = doubleOf(p64.a), d = doubleOf(p64.b);
  return {f32Format.canonical(bitsOf(subtract ? a - b : a + b)),
          f32Format.canonical(bitsOf(a * b)),
          f64Format.canonical(bitsOf(subtract ? c - d : c + d)),
          f64Format.canonical(bitsOf(c * d)),
          p32,
          p64,
          subtract};
}

class AddMultiply : public testing::Test {
protected:
  using Bench = UnitBench<Vadd_multiply_bench, SumResults>;
  Bench bench;

  /// False at the first wrong result.
  bool check(OperandPair p32, OperandPair p64, bool subtract) {
    set(p32, p64, subtract);
    bench.operate(hostResults(p32, p64, subtract),
                  [&] { set({p32.b, ~p32.a}, {~p64.b, p64.a}, !subtract); });
    for (int latency = 1; latency <= 9; ++latency) {
      const SumResults *r = bench.resultOf(latency);
      const auto &top = bench.top;
      if (r && (top.sum32[latency - 1] != r->sum32 || top.product32[latency - 1] != r->product32 ||
                top.in_luts32[latency - 1] != r->product32 || top.sum64[latency - 1] != r->sum64 ||
                top.product64[latency - 1] != r->product64)) {
        report(*r, latency);
        return false;
      }
    }
    return true;
  }

private:
  void set(OperandPair p32, OperandPair p64, bool subtract) {
    bench.top.a32 = uint32_t(p32.a);
    bench.top.b32 = uint32_t(p32.b);
    bench.top.a64 = p64.a;
    bench.top.b64 = p64.b;
    bench.top.subtract = subtract;
  }
  void report(const SumResults &r, int latency) {
    const auto &top = bench.top;
    const int i = latency - 1;
    ADD_FAILURE() << "latency " << latency << (r.subtract ? ", subtract" : ", add") << std::hex
                  << "\nf32 " << r.operands32.a << ' ' << r.operands32.b << ": sum " << top.sum32[i]
                  << ", expected " << r.sum32 << "; product " << top.product32[i] << ", in LUTs "
                  << top.in_luts32[i] << ", expected " << r.product32 << "\nf64 " << r.operands64.a
                  << ' ' << r.operands64.b << ": sum " << top.sum64[i] << ", expected " << r.sum64
                  << "; product " << top.product64[i] << ", expected " << r.product64;
  }
};

TEST_F(AddMultiply, AgreesOnAllPairsOfSpecialValues) {
  const auto values32 = specialValues(f32Format), values64 = specialValues(f64Format);
  for (size_t i = 0; i < values32.size(); ++i)
    for (size_t j = 0; j < values32.size(); ++j)
      for (bool subtract : {false, true})
        if (!check({values32[i], values32[j]}, {values64[i], values64[j]}, subtract))
          return;
}

TEST_F(AddMultiply, AgreesOnRandomOperands) {
  OperandPairs pairs32(f32Format, 32), pairs64(f64Format, 64);
  for (uint64_t i = 0; i < longRun(); ++i)
    if (!check(pairs32.next(), pairs64.next(), pairs32.source()() & 1))
      return;
}

} // namespace
} // namespace spindle::rtl
