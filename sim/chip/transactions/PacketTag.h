// What a transaction says of the packet that it stands for.
#pragma once

#include "sim/model/router/Packet.h"

#include <tlm>

namespace spindle::transactions {

/// Beside address (target tile) and length (flits) of the generic payload.
struct PacketTag : tlm::tlm_extension<PacketTag> {
  PacketId packet = 0;             // its number where it was sent
  uint32_t tree = Packet::kNoTree; // of a multicast packet, in the place of the address …
  uint32_t target = 0;             // … and the place of a receiver among the targets
  uint64_t injectedCycle = 0, headCycle = 0; // of a packet that is received

  tlm_extension_base *clone() const override { return new PacketTag(*this); }
  void copy_from(const tlm_extension_base &other) override {
    *this = static_cast<const PacketTag &>(other);
  }
};

} // namespace spindle::transactions
