// What carries the packets of a simulation: the routers of the model, or SystemC modules that
// behave as they do.
#pragma once

#include "core/chip/routing/MulticastTree.h"
#include "sim/model/router/LinkWaves.h"
#include "sim/model/router/Packet.h"
#include "sim/model/router/RouterPower.h"

#include <string>
#include <vector>

namespace spindle {

/// How full the routers were, since the start.
struct BufferUse {
  uint64_t flitCycles = 0; // that flits spent in input buffers
  uint64_t leastCycles =
      0; // of those, what routing and allocation of heads take without contention
  bool operator==(const BufferUse &) const = default;
};

/// Takes packets with the cycle they are made in, and after `drain` knows when each arrived.
class PacketNetwork {
public:
  virtual ~PacketNetwork() = default;

  /// Queues a packet at its source. `madeCycle` ascends from call to call and is not in the past.
  virtual PacketId send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) = 0;

  /// Makes a tree known to the routers; its packets must fit a buffer.
  virtual uint32_t addTree(const MulticastTree &tree) = 0;
  /// Likewise, one packet to all targets of a tree.
  virtual PacketId sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) = 0;

  /// From now on, flits that come out of these links are kept, of packets that are made before a
  /// cycle, until these are forgotten.
  virtual void watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) = 0;
  virtual const std::vector<LinkFlit> &watchedFlits() const = 0;

  /// Runs until every packet is delivered, or nothing moves any more.
  virtual void drain() = 0;

  virtual uint64_t delivered() const = 0; // packets, all of their targets
  virtual const std::vector<Packet> &packets() const = 0;
  /// Of a multicast packet, at the target with this place among those of its tree.
  virtual const Arrival &arrivalAt(PacketId id, uint32_t target) const = 0;
  /// What a simulation says of packets that are stuck.
  virtual std::string stuckText() const = 0;
  /// Drops the packets of the past; ids start at zero again. Requires that all are delivered.
  virtual void forgetPackets() = 0;

  /// Flits that went from `tile` to its neighbour at `port` since the start.
  virtual uint64_t linkFlits(TileId tile, uint32_t port) const = 0;
  virtual BufferUse bufferUse() const = 0;
  /// Of routers that are switched off, in the cycles before this one.
  virtual GatingUse gatingUse(uint64_t cycle) const = 0;
  /// Of one of them, but for what flits have waited.
  virtual GatingUse gatingUse(TileId tile, uint64_t cycle) const = 0;
};

} // namespace spindle
