// A trace of packets on the routers of a chip, without a network behind it.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/PacketTrace.h"
#include "sim/model/router/PacketNetwork.h"

namespace spindle {

/// Sends every packet when the trace says it is made; where each arrived and when, in the order of
/// the packets. Those with several targets go as the chip does multicast. Requires tiles of the
/// chip's mesh; refuses routers in which packets may block each other for ever, and multicast
/// packets that are longer than a buffer. What passes `watched` links is added to `flits`, with
/// the numbers of packets in the trace. They travel in `network`, which is new and that of the
/// chip, or without one in the routers of the model. Tiles that are dead are refused as ends.
llvm::Expected<std::vector<Delivery>> replay(const PacketTrace &trace, const Chip &chip,
                                             const std::vector<WatchedLink> &watched = {},
                                             std::vector<LinkFlit> *flits = nullptr,
                                             PacketNetwork *network = nullptr);

/// Flits per cycle and tile in the second half of the time in which packets are made.
struct OfferedLoad {
  double made = 0, received = 0;
  uint64_t packets = 0; // made in it
  uint64_t cycles = 0;  // of it
  /// Less is received than made (Dally & Towles, "Principles and Practices of Interconnection
  /// Networks", 2004, chapter 23), by more than what is on its way or left to chance: queues grow
  /// for as long as packets are made like this. Never said of a short trace.
  bool isSaturated() const { return packets >= 100 && cycles >= 1000 && received < 0.95 * made; }
};
OfferedLoad offeredLoad(const std::vector<Delivery> &deliveries, const Mesh &mesh);

} // namespace spindle
