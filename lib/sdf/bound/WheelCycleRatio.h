// The period of actors on shared processors as a maximum cycle ratio.
#pragma once

#include "lib/sdf/MaximumCycleRatio.h"
#include "lib/sdf/TimeWheel.h"

namespace spindle {

/// Time per iteration of `graph` and the actors of a cycle that attains it. What a firing takes
/// depends on where its wheel is when it starts. Start times of whole iterations are computed one
/// after the other, start = the latest end of what a firing waits for, until they are those of so
/// many iterations before, shifted by whole rounds of the wheels. That many iterations, each firing
/// with the time that it took, are an event graph, whose maximum cycle ratio is the period. Nothing
/// where `firingLimit` firings have passed before that. The graph is live, and every actor with a
/// wheel does one firing at a time.
struct WheelPeriod {
  CycleRatio period;
  std::vector<ActorId> cycle;
};
std::optional<WheelPeriod> wheelCycleRatio(const SdfGraph &graph,
                                           const std::vector<uint64_t> &repetitions,
                                           const std::vector<TimeWheel> &wheels,
                                           uint64_t firingLimit);

} // namespace spindle
