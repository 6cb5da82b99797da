// Proof that no configuration of the routers can come to a standstill.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/Ports.h"

#include <vector>

namespace spindle {

/// A cycle of channels each of which may wait for the next one, empty where there is none: then
/// every packet arrives (Dally & Seitz, "Deadlock-free message routing in multiprocessor
/// interconnection networks", IEEE ToC 1987). Of min_adaptive the channels that are never left are
/// looked at: every packet may go on by them (Duato, "A new theory of deadlock-free adaptive
/// routing in wormhole networks", IEEE TPDS 1993).
std::vector<LinkChannel> findDependenceCycle(const Mesh &mesh, const Router &router);

/// Refuses a cycle, which is named, and faults that packets do not get round. Channels that a
/// routing does not tell apart count as one, and sides of more than 16 tiles as 15 or 16: which
/// turns a packet may take depends on the side of its target and on odd and even alone (but where
/// faults or tables say otherwise).
llvm::Error checkDeadlockFree(const Chip &chip);

} // namespace spindle
