// Drives a verilated bench of units that each have operands of their own: pipelines, and units that
// take an operation every few cycles.
#pragma once

#include "core/support/CounterRandom.h"

#include "gtest/gtest.h"

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace spindle::rtl {

struct SlotOperands {
  uint64_t a = 0, b = 0;
};

/// One unit of the bench.
struct Slot {
  std::string name;
  uint64_t latency = 1, interval = 1;
  std::function<SlotOperands(uint64_t)> operands; // of the n-th operation
  std::function<uint64_t(SlotOperands)> expected;
  bool hasReset = true;
};

/// Top has inputs clk, rst, ce, and per slot (arrays) valid, a, b of 64 bits and an output y.
/// Operations follow each other as closely as the interval allows, or with random pauses; operands
/// are scrambled whenever valid or ce is 0.
template <class Top> class SlotBench {
public:
  explicit SlotBench(std::vector<Slot> units, uint64_t seed)
      : slots(std::move(units)), progress(slots.size()), random(seed) {}

  /// Enabled cycles to run; at the first wrong result of a slot the rest of it is not looked at.
  void run(uint64_t cycles, bool resets = false) {
    reset();
    for (const uint64_t end = cycle + cycles; cycle < end;) {
      if (resets && random.below(200) == 0)
        reset();
      top.ce = random.below(16) != 0;
      for (size_t s = 0; s < slots.size(); ++s) {
        check(s);
        drive(s);
      }
      edge();
      cycle += top.ce;
    }
  }

  /// Operations compared, by slot.
  uint64_t checked(size_t slot) const { return progress[slot].checked; }

private:
  struct Pending {
    uint64_t due;
    SlotOperands operands;
  };
  struct Progress {
    uint64_t issued = 0, checked = 0, next = 0; // next: first cycle for another operation
    std::deque<Pending> pending;
    bool wrong = false;
  };

  uint64_t bits() { return uint64_t(random()) << 32 | random(); }

  void drive(size_t s) {
    Progress &p = progress[s];
    const bool start = top.ce && cycle >= p.next;
    SlotOperands operands{bits(), bits()};
    if (start) {
      operands = slots[s].operands(p.issued++);
      p.pending.push_back({cycle + slots[s].latency, operands});
      p.next = cycle + slots[s].interval;
      if (slots[s].interval > 1 && random.below(4) == 0)
        p.next += random.below(40);
    }
    top.valid[s] = start || (!top.ce && random.below(2));
    top.a[s] = operands.a;
    top.b[s] = operands.b;
  }

  void check(size_t s) {
    Progress &p = progress[s];
    if (p.pending.empty() || p.pending.front().due != cycle || !top.ce)
      return;
    const SlotOperands operands = p.pending.front().operands;
    p.pending.pop_front();
    ++p.checked;
    const uint64_t expected = slots[s].expected(operands);
    if (!p.wrong && top.y[s] != expected) {
      p.wrong = true;
      ADD_FAILURE() << slots[s].name << ", operation " << p.checked << std::hex << ": a "
                    << operands.a << ", b " << operands.b << ": found " << top.y[s] << ", expected "
                    << expected;
    }
  }

  /// What is under way in units with a reset is lost; the others go on.
  void reset() {
    top.rst = 1;
    top.ce = 1;
    for (size_t s = 0; s < slots.size(); ++s) {
      check(s);
      top.valid[s] = 0;
      if (slots[s].hasReset && slots[s].interval > 1) {
        progress[s].pending.clear();
        progress[s].next = cycle + 1;
      }
    }
    edge();
    ++cycle;
    top.rst = 0;
  }

  void edge() {
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
  }

  Top top;
  std::vector<Slot> slots;
  std::vector<Progress> progress;
  CounterRandom random;
  uint64_t cycle = 0;
};

} // namespace spindle::rtl
