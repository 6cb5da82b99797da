// Routers that are switched off while they hold no flit, and parts of them.
#pragma once

#include "core/chip/routing/GatedParts.h"

#include <algorithm>
#include <vector>

namespace spindle {

/// What gated routers did up to a cycle, all together.
struct GatingUse {
  uint64_t onCycles = 0;   // switched on, or waking
  uint64_t wakes = 0;      // those of the first flits included
  uint64_t waitCycles = 0; // that flits lay before a router, or part, that was not awake
  uint64_t partOnCycles = 0, partWakes = 0; // of the parts that sleep by themselves
  GatingUse &operator+=(const GatingUse &other) {
    onCycles += other.onCycles;
    wakes += other.wakes;
    waitCycles += other.waitCycles;
    partOnCycles += other.partOnCycles;
    partWakes += other.partWakes;
    return *this;
  }
  GatingUse &operator-=(const GatingUse &other) {
    onCycles -= other.onCycles;
    wakes -= other.wakes;
    waitCycles -= other.waitCycles;
    partOnCycles -= other.partOnCycles;
    partWakes -= other.partWakes;
    return *this;
  }
  bool operator==(const GatingUse &) const = default;
};

/// A router sleeps once it has held no flit for `idle_cycles`. The switch that grants a flit its
/// way tells the next router in the same cycle (look-ahead wake-up, Matsutani et al., ASP-DAC
/// 2008), which works `wake_cycles` later. Parts of it, where there are any, do the same with the
/// flits in them (the same, "Ultra fine-grained run-time power gating of on-chip routers for CMPs",
/// NOCS 2010); while one of them is on, so is the rest. All sleep at the start.
class RouterPower {
public:
  RouterPower(const Router &router, uint32_t tiles)
      : gating(*router.gating), parts(gatedParts(router)),
        partFlits(parts == 0 ? 0 : kPorts * router.virtualChannels * router.bufferFlits / parts),
        states(tiles), partStates(size_t(tiles) * parts) {}

  /// A flit is sent to a router now, to this place among all of its input buffers, and would be
  /// there in `arrival`. Returns the cycle from which on the router works it.
  uint64_t come(TileId tile, uint32_t place, uint64_t cycle, uint64_t arrival) {
    uint64_t worked = std::max(arrival, come(states[tile], cycle));
    if (parts != 0)
      worked = std::max(worked, come(partAt(tile, place), cycle));
    waitCycles += worked - arrival;
    return worked;
  }
  void leave(TileId tile, uint32_t place, uint64_t cycle) {
    leave(states[tile], cycle);
    if (parts != 0)
      leave(partAt(tile, place), cycle);
  }

  /// Of a router in the cycles before this one; what flits have waited is not told apart.
  GatingUse use(TileId tile, uint64_t cycle) const {
    GatingUse sum{.onCycles = states[tile].onUntil(cycle), .wakes = states[tile].wakes};
    for (size_t part = size_t(tile) * parts; part < size_t(tile + 1) * parts; ++part) {
      sum.partOnCycles += partStates[part].onUntil(cycle);
      sum.partWakes += partStates[part].wakes;
    }
    return sum;
  }
  /// Of all routers.
  GatingUse use(uint64_t cycle) const {
    GatingUse sum{.waitCycles = waitCycles};
    for (TileId tile = 0; tile < states.size(); ++tile)
      sum += use(tile, cycle);
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
    uint64_t onUntil(uint64_t cycle) const {
      return onCycles + (isAsleep(cycle) ? sleepCycle : cycle) - onCycle;
    }
  };

  /// Returns from which cycle on it works.
  uint64_t come(State &state, uint64_t cycle) const {
    if (state.isAsleep(cycle)) {
      state.onCycles += state.sleepCycle - state.onCycle;
      state.onCycle = cycle;
      state.awakeCycle = cycle + gating.wakeCycles;
      ++state.wakes;
    }
    ++state.flits;
    return state.awakeCycle;
  }
  void leave(State &state, uint64_t cycle) const {
    if (--state.flits == 0)
      state.sleepCycle = cycle + 1 + gating.idleCycles;
  }
  State &partAt(TileId tile, uint32_t place) {
    return partStates[size_t(tile) * parts + place / partFlits];
  }

  Gating gating;
  uint32_t parts, partFlits; // of a router; places of flits in a part
  std::vector<State> states, partStates;
  uint64_t waitCycles = 0;
};

} // namespace spindle
