// Which packets a segmented bus sends when, and on which of its lanes.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/bus/BusArbiter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <queue>
#include <vector>

namespace spindle {

/// The lanes of a bus side by side, each with a segment between every two neighbours on the line of
/// tiles (BusLine.h), and an arbiter.
///
/// Transfers: a packet goes over its span, the segments between the outermost places among its
/// source and its targets. It is sent when all of them are free on one lane, and has them for
/// itself until its tail has passed. It never holds segments while it waits for others, so
/// transfers cannot block each other for ever. Transfers whose spans share no segment go on side by
/// side on the same lane. A packet whose only target is its own tile needs no lane.
///
/// Turns: in every cycle the packets at the fronts of their sources' queues, made by now and with
/// the interface of the source free, are looked at along the line, from the turn on and around. One
/// that finds a lane free is sent, on the lowest. The first that finds none claims the lane where
/// its span comes free first (the lowest of those), and the turn is then the place behind its
/// source. No other packet takes claimed segments before it is sent, which it is as soon as they
/// are free. There is one claim at a time; the next one may be made in the cycle in which the
/// packet is sent. So a packet at the front is sent after at most as many claims as there are
/// tiles, each no longer than the longest transfer: without claims, one with a wide span could
/// starve among narrow ones.
///
/// Cycles: of a packet that is sent in cycle g, flits leave the source every `interval` cycles, and
/// its next packet may leave an interval after the last of them. A target d segments away has the
/// head in g + end cycles + w(d), where w(d), the cycles on the wires, is d / segments per cycle,
/// rounded up; 1 where a flit passes all segments in a cycle; 0 for d = 0. The span is free again
/// from g + flits · interval + w(farthest end) − 1 on, so that an interval lies between flits of
/// different packets, too, everywhere on a lane. Tiles receive from all lanes at once.
///
/// Cycles in which nothing can be sent are skipped.
class BusTransfers {
public:
  BusTransfers(const Mesh &mesh, const Router &router);

  /// Queues a packet at its source; returns its number. `madeCycle` ascends from call to call.
  uint32_t add(TileId source, BusSpan span, uint32_t flits, uint64_t madeCycle);
  /// Tells `sent(packet, lane, cycle)` of all that are sent before `endCycle`. False when nothing
  /// is left to be sent.
  using Sent = llvm::function_ref<void(uint32_t, uint32_t, uint64_t)>;
  bool runUntil(uint64_t endCycle, Sent sent);
  /// Numbers start at zero again; lanes and turns stay. Requires that all are sent.
  void forget();

  /// From the packet sent to its head received, and to its tail.
  uint64_t headCycles(uint32_t segments) const { return endCycles + wireCycles(segments); }
  uint64_t tailCycles(uint32_t flits) const { return uint64_t(flits - 1) * interval; }
  /// Of those, on the wires.
  uint64_t wireCycles(uint32_t segments) const { return wires.cycles(segments); }
  uint32_t intervalCycles() const { return interval; }

private:
  struct Transfer {
    uint32_t place; // of its source
    BusSpan span;
    uint32_t flits;
    uint64_t madeCycle;
  };
  struct Source {
    std::vector<uint32_t> queue; // waiting packets, first at `served`
    size_t served = 0;
    uint64_t freeCycle = 0; // of its interface
    uint32_t front() const { return queue[served]; }
  };
  /// When the packet at the front of a source may ask for its span.
  struct Ready {
    uint64_t cycle;
    uint32_t place;
    bool operator>(const Ready &other) const { return cycle > other.cycle; }
  };

  uint64_t nextCycle() const;
  void releaseMade();
  void start(uint32_t place, Sent sent);
  void transfer(uint32_t place, uint32_t lane, Sent sent);

  BusLine line;
  uint32_t endCycles, interval;
  BusWires wires;
  BusArbiter arbiter;
  std::vector<Source> sources;                                          // per place
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready; // that have not asked yet
  std::vector<Transfer> transfers;
  uint32_t released = 0; // handed to their sources
  uint64_t cycle = 0;    // the last one in which something was done
};

} // namespace spindle
