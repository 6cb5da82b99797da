// The packets of a simulation, kept where they are asked for.
#pragma once

#include "core/chip/PacketTrace.h"

namespace spindle {

struct PacketLog {
  PacketTrace packets; // with their origins
  std::vector<Delivery> deliveries;
};

} // namespace spindle
