// What carries the packets of a simulation, chosen by name. SystemC stays behind this header.
#pragma once

#include "sim/model/ChipSimulation.h"
#include "sim/model/router/PacketNetwork.h"

#include <memory>

namespace spindle {

/// The routers of a chip as an engine simulates them; every packet takes the same cycles in all.
///  - Model: MeshNetwork itself.
///  - Tlm: tiles with network interfaces, joined to the mesh by TLM-2.0 sockets.
///  - Pins: clocked routers whose flits, valid bits and credits are signals. Refused: more than 4×4
///    tiles, joined chips, multicast, and end_cycles: 0, since a register between tile and router
///    takes a cycle.
/// The engines of SystemC run once in a process (a kernel cannot be elaborated twice); a second one
/// is refused.
llvm::Expected<std::unique_ptr<PacketNetwork>> makeNetwork(Engine engine, const Chip &chip);

} // namespace spindle
