// exp and pow against their models, bit for bit; tests/rtl/model holds those against the host.
#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Pow.h"
#include "tests/rtl/ElementaryOperands.h"
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

/// All pairs of special operands, then random ones; exp takes the first of each pair.
template <class T> std::function<SlotOperands(uint64_t)> operandsOf(bool isPow, uint64_t seed) {
  return [=, operands = ElementaryOperands<T>(seed)](uint64_t n) mutable {
    const std::vector<uint64_t> &specials = operands.specialOperands();
    if (n < specials.size() * specials.size())
      return SlotOperands{specials[n % specials.size()], specials[n / specials.size()]};
    if (!isPow)
      return SlotOperands{operands.argument(), 0};
    const OperandPair pair = operands.pair();
    return SlotOperands{pair.a, pair.b};
  };
}

struct Form {
  uint64_t cycles32, cycles64; // of the recurrence
  bool pipeline;
};

std::vector<Slot> units() {
  const Form forms[] = {{10, 17, false}, {5, 12, true}};
  std::vector<Slot> slots;
  for (const Form &form : forms) {
    auto add = [&](const char *name, uint64_t cycles, auto operands, auto expected) {
      slots.push_back({name, cycles + 8, form.pipeline ? 1 : cycles, operands, expected});
    };
    add("exp f32", form.cycles32, operandsOf<float>(false, slots.size()), expOf<float>);
    add("exp f64", form.cycles64, operandsOf<double>(false, slots.size()), expOf<double>);
  }
  return slots;
}

/// A million operations of each pipeline and what fits beside them of the units that go round,
/// which do the same steps.
TEST(Elementary, AgreeWithTheModels) {
  std::vector<Slot> slots = units();
  SlotBench<Velementary_bench> bench(slots, 1);
  bench.run(1'000'100);
  for (size_t s = 0; s < slots.size(); ++s)
    EXPECT_GE(bench.checked(s), slots[s].interval == 1 ? 1'000'000u : 30'000u) << slots[s].name;
}

TEST(Elementary, StartAnewAfterReset) {
  SlotBench<Velementary_bench> bench(units(), 2);
  bench.run(20'000, true);
}

} // namespace
} // namespace spindle::rtl
