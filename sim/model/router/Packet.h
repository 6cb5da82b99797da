// What travels: packets, and the flits that they are cut into.
#pragma once

#include "core/chip/Mesh.h"

#include <cstdint>

namespace spindle {

using PacketId = uint32_t;

/// A packet on its way: what the caller gave, then the cycles the network wrote.
struct Packet {
  static constexpr uint32_t kNoTree = UINT32_MAX;

  TileId source, target; // a multicast packet has those of its tree
  uint32_t flits;
  uint64_t madeCycle;         // from here on it waits at its source
  uint64_t injectedCycle = 0; // head flit left its source
  uint64_t headCycle = 0;     // head flit received; of a multicast packet, by the last target
  uint64_t tailCycle = 0;     // tail flit received; the packet is complete
  uint32_t tree = kNoTree;
  uint32_t firstArrival = 0; // of a multicast packet, of its targets one after the other
  uint32_t missing = 1;      // targets without the tail
};

/// When a target of a multicast packet received it.
struct Arrival {
  uint64_t headCycle = 0, tailCycle = 0;
};

struct Flit {
  PacketId packet : 29;
  PacketId multicast : 1; // `target` is the node of a tree that it comes to next
  PacketId head : 1, tail : 1;
  TileId target;
};

} // namespace spindle
