// The cycle that limits the rate of a timed event graph.
#pragma once

#include "lib/sdf/CycleRatio.h"
#include "lib/sdf/EventGraph.h"

#include <optional>

namespace spindle {

struct CriticalCycle {
  CycleRatio ratio;
  std::vector<uint32_t> nodes; // in order of precedence
};

/// The greatest ratio of times to delays over all cycles, with a cycle that attains it; nothing for
/// a graph without cycles that take time. Every cycle must hold a delay. Found by Howard's policy
/// iteration in floating point (Boost.Graph) and then settled in integers: node potentials exist
/// that no edge violates, so no cycle is worse (Bellman-Ford). Times add up to less than 2^53.
std::optional<CriticalCycle> maximumCycleRatio(const EventGraph &graph);

} // namespace spindle
