// Chains of combinational delays that are longer than a clock cycle.
#pragma once

#include "hw/hls/schedule/bounds/Precedences.h"

namespace spindle::hls {

/// For every shortest chain of operations that does not fit into the clock period, the precedence
/// that parts it: its last operation starts at least a cycle after the first one's result is there.
std::vector<Precedence> precedencesOfLongChains(const Problem &problem);

} // namespace spindle::hls
