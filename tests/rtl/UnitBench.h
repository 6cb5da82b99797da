// Drives a verilated bench of pipelined units: a new operation in each enabled cycle, results
// checked by latency.
#pragma once

#include "core/support/CounterRandom.h"

#include <array>
#include <cstdint>

namespace spindle::rtl {

/// Top has inputs clk and ce. Expected is what one operation must give, kept until the slowest unit
/// gives it.
template <class Top, class Expected> class UnitBench {
public:
  static constexpr int maxLatency = 16;

  Top top;

  /// One operation whose operands the caller has set at `top`; `scramble` sets others, for idle
  /// cycles in which the clock is not enabled: they must leave no trace.
  template <class Scramble> void operate(const Expected &result, const Scramble &scramble) {
    top.ce = 1;
    edge();
    ++operations;
    expected[operations % maxLatency] = result;
    if (random.below(16) == 0) {
      scramble();
      top.ce = 0;
      edge();
    }
  }
  /// Null while a unit of this latency has not come to its first result.
  const Expected *resultOf(int latency) const {
    return operations < latency ? nullptr : &expected[(operations - latency + 1) % maxLatency];
  }

private:
  void edge() {
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
  }

  std::array<Expected, maxLatency> expected{};
  int64_t operations = 0;
  CounterRandom random{1};
};

} // namespace spindle::rtl
