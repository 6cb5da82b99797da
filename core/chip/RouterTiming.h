// How the stages of a router in a chip file become the delays of the model.
#pragma once

#include "core/chip/Chip.h"

#include <algorithm>

namespace spindle {

/// Delays in cycles of an input-queued wormhole router: route computation, allocation of a virtual
/// channel, switch allocation, switch traversal, link traversal. The stages are those of BookSim's
/// iq_router (Jiang et al., "A detailed and flexible cycle-accurate network-on-chip simulator",
/// ISPASS 2013), the delays of its links one less than there: a link of one cycle is a register.
/// Tiles are next to their router: their links take one cycle, whatever others take.
struct RouterTiming {
  /// Of a link between routers.
  struct Link {
    uint32_t forward;  // asks for the switch → flit in the next buffer
    uint32_t credit;   // … → the freed place may be used by the router before
    uint32_t interval; // between flits
    double busy;       // from a flit to the next where it is never idle
  };

  StageCycles stages;
  uint32_t eject;      // as `forward` of a link, to the tile
  uint32_t recredit;   // as its `credit`, towards the source, which books credits as they come in
  uint32_t tileCredit; // received by the tile → its place may be used again
  uint32_t interval;   // between flits of a link inside a chip, those of tiles included
  uint32_t inject;     // flit leaves the source → flit in the buffer of the first router
  double busyInject, busyEject; // as `busy` of a link, from and to a tile
  uint32_t wake;                // a router that sleeps is told of a flit → it works
  Link link, chipLink;          // inside a chip, and between two

  explicit RouterTiming(const Router &router)
      : stages(stagesOf(router)), interval(router.linkIntervalCycles), inject(router.endCycles),
        wake(router.gating ? router.gating->wakeCycles : 0) {
    uint32_t tileLink = std::min(stages.link, 1u);
    eject = stages.switchAllocation + stages.switchTraversal + tileLink;
    recredit = stages.switchAllocation + tileLink;
    tileCredit = 1 + tileLink + stages.credit;
    // A place of the buffers behind a link is used again after a loop of flit and credit.
    double places = double(router.bufferFlits) * router.virtualChannels;
    auto busy = [&](uint32_t flitCycles, uint32_t loopCycles) {
      return std::max<double>(flitCycles, loopCycles / places);
    };
    busyInject = busy(interval, inject + recredit);
    busyEject = busy(interval, eject + tileCredit);
    auto linkOf = [&](ChipLink given) {
      uint32_t forward = stages.switchAllocation + stages.switchTraversal + given.cycles;
      uint32_t credit = stages.switchAllocation + given.cycles + stages.credit;
      return Link{forward, credit, given.intervalCycles,
                  busy(given.intervalCycles, forward + credit)};
    };
    link = linkOf({stages.link, interval});
    chipLink = router.chipLink ? linkOf(*router.chipLink) : link;
  }

  /// On a bus, which has no buffers, nothing waits for credits. A link stands for a segment, both
  /// ways together, and a tile is reached by all lanes from both sides at once.
  explicit RouterTiming(const Chip &chip) : RouterTiming(chip.router) {
    if (!chip.mesh.isBus())
      return;
    busyInject = interval;
    link.busy = chipLink.busy = double(interval) / chip.router.bus.lanes;
    busyEject = link.busy / 2;
  }

  /// Cycles of a head flit in a router and the link behind it.
  uint32_t hop() const { return allocation() + link.forward; }
  /// … in the last router, up to its tile.
  uint32_t lastHop() const { return allocation() + eject; }
  /// Of those, before it asks for the switch with a channel.
  uint32_t allocation() const {
    return stages.routing + (stages.speculative ? 0 : stages.channelAllocation);
  }
  /// No event lies further ahead than this.
  uint32_t horizon() const {
    uint32_t loop = std::max(link.forward + link.credit, chipLink.forward + chipLink.credit);
    return 3 * (stages.routing + stages.channelAllocation + loop) + inject +
           4 * std::max(interval, chipLink.interval) + wake;
  }

private:
  /// One figure for all stages: three cycles are a router that routes ahead and speculates; four
  /// have a stage for the channel, more compute routes in what is left. Fewer than three have no
  /// register behind the switch, or none at all.
  static StageCycles stagesOf(const Router &router) {
    if (router.stages)
      return *router.stages;
    uint32_t cycles = router.pipelineCycles;
    return {.routing = cycles - std::min(cycles, 4u),
            .switchTraversal = std::min(cycles - 1, 1u),
            .link = std::min(cycles - std::min(cycles, 2u), 1u),
            .credit = std::min(cycles - 1, 1u),
            .speculative = cycles <= 3};
  }
};

/// Cycles from a packet made to its head received, `hops` links away, `crossings` of them between
/// chips, without contention. The tail follows size − 1 cycles later while the packet fits the
/// buffers.
inline uint64_t headLatencyCycles(const Router &router, uint32_t hops, uint32_t crossings = 0) {
  RouterTiming timing(router);
  return uint64_t(timing.hop()) * hops + timing.lastHop() + timing.inject +
         (int64_t(timing.chipLink.forward) - timing.link.forward) * int64_t(crossings);
}

/// … on a chip; on a bus, of its segments (BusTransfers.h).
inline uint64_t headLatencyCycles(const Chip &chip, uint32_t hops) {
  if (!chip.mesh.isBus())
    return headLatencyCycles(chip.router, hops);
  return chip.router.endCycles + chip.router.bus.cycles(hops);
}

/// How many times as long as inside a chip a flit takes to the router in the next one.
inline double hopsPerChipLink(const Chip &chip) {
  RouterTiming timing(chip.router);
  return 1 + (double(timing.chipLink.forward) - timing.link.forward) / timing.hop();
}

} // namespace spindle
