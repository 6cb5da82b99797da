// What routers that carry packets leak for: cycles on and switched off.
#pragma once

#include "core/chip/routing/GatedParts.h"
#include "sim/model/energy/EnergyAccount.h"
#include "sim/model/router/PacketNetwork.h"

namespace spindle {

/// Routers that carry no packet are off for good, and cost nothing.
inline bool carriesPackets(const PacketNetwork &network, TileId router) {
  for (uint32_t port = 0; port < kPorts; ++port)
    if (network.linkFlits(router, port) > 0)
      return true;
  return false;
}

/// Adds so many cycles of one that does; `use`, what it did of them where routers sleep.
inline void addRouterCycles(EventCounts &counts, const GatingUse &use, uint64_t cycles,
                            const Router &router) {
  if (!router.gating) {
    counts.routerOnCycles += cycles;
    return;
  }
  counts.routerOnCycles += use.onCycles;
  counts.routerGatedCycles += cycles - use.onCycles;
  counts.routerWakes += use.wakes;
  counts.partOnCycles += use.partOnCycles;
  counts.partGatedCycles += gatedParts(router) * cycles - use.partOnCycles;
  counts.partWakes += use.partWakes;
}

} // namespace spindle
