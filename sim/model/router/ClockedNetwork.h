// A network that is run up to a cycle, while others wait for what it delivers.
#pragma once

#include "sim/model/router/PacketNetwork.h"

#include <memory>

namespace spindle {

class ClockedNetwork : public PacketNetwork {
public:
  /// Runs up to a cycle, which is left to the next call. False when nothing moves any more before
  /// another packet is sent.
  virtual bool runUntil(uint64_t endCycle) = 0;

  /// A tail at one of the targets of its packet.
  struct Reception {
    PacketId packet;
    uint32_t target; // its place among those of a multicast packet
    uint64_t cycle;
  };
  /// From now on, receptions are added to a list, which outlives the network.
  virtual void tellReceptions(std::vector<Reception> &list) = 0;
};

/// What joins the tiles of a chip: routers, or a bus.
std::unique_ptr<ClockedNetwork> makeModel(const Mesh &mesh, const Router &router);

} // namespace spindle
