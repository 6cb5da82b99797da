// A trace of packets on the routers of a chip, without a network behind it.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/PacketTrace.h"

namespace spindle {

/// Sends every packet when the trace says it is made; where each arrived and when, in the order of
/// the packets. Requires tiles of the chip's mesh.
llvm::Expected<std::vector<Delivery>> replay(const PacketTrace &trace, const Chip &chip);

} // namespace spindle
