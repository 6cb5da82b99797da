// How the two figures of a chip file, pipelineCycles and endCycles, become the delays of a router.
#pragma once

#include "core/chip/Chip.h"

#include <algorithm>

namespace spindle {

/// Delays in cycles of an input-buffered wormhole router without virtual channels. The stages are
/// those of BookSim's iq_router (Jiang et al., "A detailed and flexible cycle-accurate
/// network-on-chip simulator", ISPASS 2013): route computation, output allocation, switch
/// allocation, switch traversal, link traversal. A pipeline of three cycles routes ahead and
/// allocates speculatively; a longer one spends the cycles above three on the first two stages,
/// which only head flits pass.
struct RouterTiming {
  uint32_t setup;    // a head at the front of its buffer waits so long before it may use the switch
  uint32_t forward;  // switch granted → flit in the next buffer
  uint32_t credit;   // switch granted → the freed place may be used by the router before
  uint32_t inject;   // flit leaves the source → flit in the buffer of the first router
  uint32_t recredit; // as `credit`, towards the source: it books a credit as it comes in

  explicit RouterTiming(const Router &router)
      : setup(router.pipelineCycles - std::min(router.pipelineCycles, 3u)),
        forward(std::min(router.pipelineCycles, 3u)), credit(forward), inject(router.endCycles),
        recredit(std::max(forward, 2u) - 1) {}

  /// No event lies further ahead than this.
  uint32_t horizon() const { return std::max({setup, 2 * forward, inject}) + 1; }
};

/// Cycles from a packet made to its head received, `hops` links away, without contention:
/// pipelineCycles · (hops + 1) + endCycles. The tail follows size − 1 cycles later while the packet
/// fits the buffers.
inline uint64_t headLatencyCycles(const Router &router, uint32_t hops) {
  return uint64_t(router.pipelineCycles) * (hops + 1) + router.endCycles;
}

} // namespace spindle
