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
/// chip, or without one in the routers of the model.
llvm::Expected<std::vector<Delivery>> replay(const PacketTrace &trace, const Chip &chip,
                                             const std::vector<WatchedLink> &watched = {},
                                             std::vector<LinkFlit> *flits = nullptr,
                                             PacketNetwork *network = nullptr);

} // namespace spindle
