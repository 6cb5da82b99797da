// exp, pow and log against their models, bit for bit; tests/rtl/model holds those against the host.
#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Log.h"
#include "hw/rtl/model/Pow.h"
#include "tests/rtl/ElementaryOperands.h"
#include "tests/rtl/LongRun.h"
#include "tests/rtl/SlotBench.h"

#include "Velementary_bench.h"

namespace spindle::rtl {
namespace {

template <class T> uint64_t expOf(SlotOperands o) {
  return bitsOf(hls::unitExp(ElementaryOperands<T>::valueOf(o.a)));
}
template <class T> uint64_t powOf(SlotOperands o) {
  return bitsOf(
      hls::unitPow(ElementaryOperands<T>::valueOf(o.a), ElementaryOperands<T>::valueOf(o.b)));
}

template <class T> uint64_t logOf(SlotOperands o) {
  return bitsOf(hls::unitLog(ElementaryOperands<T>::valueOf(o.a)));
}

/// Which operands a unit gets.
enum class Kind { exp, pow, log };

/// All pairs of special operands, then random ones; exp and log take the first of each pair.
template <class T> std::function<SlotOperands(uint64_t)> operandsOf(Kind kind, uint64_t seed) {
  return [=, operands = ElementaryOperands<T>(seed)](uint64_t n) mutable {
    const std::vector<uint64_t> &specials = operands.specialOperands();
    if (n < specials.size() * specials.size())
      return SlotOperands{specials[n % specials.size()], specials[n / specials.size()]};
    if (kind == Kind::exp)
      return SlotOperands{operands.argument(), 0};
    const OperandPair pair = operands.pair();
    return SlotOperands{pair.a, pair.b};
  };
}

/// Of each format a unit that goes round and a pipeline, of the latter with fewer stages.
std::vector<Slot> units() {
  std::vector<Slot> slots;
  for (bool pipeline : {false, true}) {
    const uint64_t cycles32 = pipeline ? 5 : 11, cycles64 = pipeline ? 12 : 18; // of a recurrence
    auto add = [&](const char *name, uint64_t cycles, uint64_t latency, auto operands,
                   auto expected) {
      slots.push_back({name, latency, pipeline ? 1 : cycles, operands, expected});
    };
    const uint64_t seed = slots.size();
    add("exp f32", cycles32, cycles32 + 8, operandsOf<float>(Kind::exp, seed), expOf<float>);
    add("exp f64", cycles64, cycles64 + 8, operandsOf<double>(Kind::exp, seed + 1), expOf<double>);
    add("powf f32", cycles32, 2 * cycles32 + 20 + pipeline, operandsOf<float>(Kind::pow, seed + 2),
        powOf<float>);
    add("powf f64", cycles64, 2 * cycles64 + 20 + pipeline, operandsOf<double>(Kind::pow, seed + 3),
        powOf<double>);
    add("log f32", cycles32, cycles32 + 10, operandsOf<float>(Kind::log, seed + 4), logOf<float>);
    add("log f64", cycles64, cycles64 + 10, operandsOf<double>(Kind::log, seed + 5), logOf<double>);
  }
  return slots;
}

/// Many operations of each pipeline and what fits beside them of the units that go round,
/// which do the same steps.
TEST(Elementary, AgreeWithTheModels) {
  std::vector<Slot> slots = units();
  SlotBench<Velementary_bench> bench(slots, 1);
  bench.run(longRun());
  for (size_t s = 0; s < slots.size(); ++s)
    EXPECT_GE(bench.checked(s), slots[s].interval == 1 ? longRun() - 100 : longRun() / 33)
        << slots[s].name;
}

TEST(Elementary, StartAnewAfterReset) {
  SlotBench<Velementary_bench> bench(units(), 2);
  bench.run(20'000, true);
}

} // namespace
} // namespace spindle::rtl
