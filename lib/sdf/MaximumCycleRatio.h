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
/// a graph without cycles that take time. Every cycle must hold a delay. Exact
/// (periodic/PolicyIteration.h).
std::optional<CriticalCycle> maximumCycleRatio(const EventGraph &graph);

} // namespace spindle
