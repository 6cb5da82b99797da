// Routers that are switched off while they hold no flit.
#pragma once

#include "core/chip/Chip.h"

#include <algorithm>
#include <vector>

namespace spindle {

/// What gated routers did up to a cycle, all together.
struct GatingUse {
  uint64_t onCycles = 0;   // switched on, or waking
  uint64_t wakes = 0;      // those of the first flits included
  uint64_t waitCycles = 0; // that flits lay before a router that was not awake
  bool operator==(const GatingUse &) const = default;
};

/// A router sleeps once it has held no flit for `idle_cycles`. The switch that grants a flit its
/// way tells the next router in the same cycle (look-ahead wake-up, Matsutani et al., ASP-DAC
/// 2008), which works `wake_cycles` later. All sleep at the start.
class RouterPower {
public:
  RouterPower(const Gating &given, uint32_t tiles) : gating(given), states(tiles) {}

  /// A flit is sent to a router now, and would be there in `arrival`. Returns the cycle from which
  /// on the router works it.
  uint64_t come(TileId tile, uint64_t cycle, uint64_t arrival) {
    State &state = states[tile];
    if (state.isAsleep(cycle)) {
      state.onCycles += state.sleepCycle - state.onCycle;
      state.onCycle = cycle;
      state.awakeCycle = cycle + gating.wakeCycles;
      ++state.wakes;
    }
    ++state.flits;
    uint64_t worked = std::max(arrival, state.awakeCycle);
    waitCycles += worked - arrival;
    return worked;
  }
  void leave(TileId tile, uint64_t cycle) {
    State &state = states[tile];
    if (--state.flits == 0)
      state.sleepCycle = cycle + 1 + gating.idleCycles;
  }

  /// Of a router in the cycles before this one; what flits have waited is not told apart.
  GatingUse use(TileId tile, uint64_t cycle) const {
    const State &state = states[tile];
    return {state.onCycles + (state.isAsleep(cycle) ? state.sleepCycle : cycle) - state.onCycle,
            state.wakes, 0};
  }
  /// Of all routers.
  GatingUse use(uint64_t cycle) const {
    GatingUse sum{.waitCycles = waitCycles};
    for (TileId tile = 0; tile < states.size(); ++tile) {
      GatingUse one = use(tile, cycle);
      sum.wakes += one.wakes;
      sum.onCycles += one.onCycles;
    }
    return sum;
  }

private:
  struct State {
    uint32_t flits = 0;      // in it and on their way to it
    uint64_t sleepCycle = 0; // from which on it sleeps, if it has none
    uint64_t onCycle = 0;    // in which it was last told to wake
    uint64_t awakeCycle = 0; // from which on it works then
    uint64_t onCycles = 0;   // before that
    uint64_t wakes = 0;
    bool isAsleep(uint64_t cycle) const { return flits == 0 && cycle >= sleepCycle; }
  };

  Gating gating;
  std::vector<State> states;
  uint64_t waitCycles = 0;
};

} // namespace spindle
