// Latency and throughput by running the graph: every firing as early as its tokens allow.
#pragma once

#include "lib/sdf/CycleRatio.h"
#include "lib/sdf/TimeWheel.h"

#include <optional>

namespace spindle {

/// Time from the start to the end of the last firing of the first iteration, every firing as early
/// as its tokens allow. A graph that cannot finish one iteration is deadlocked: the error names the
/// actors that wait for each other in a circle. O(firings × channels per actor).
llvm::Expected<uint64_t> firstIterationLatency(const SdfGraph &graph,
                                               const std::vector<uint64_t> &repetitions);

/// The channels of a circle of actors that wait for tokens of each other in the first iteration;
/// empty for a graph that is live.
std::vector<size_t> waitingCircle(const SdfGraph &graph, const std::vector<uint64_t> &repetitions);

/// Time per iteration in the periodic regime of self-timed execution (every firing as early as its
/// tokens allow, any number of firings of an actor at once), which is reached when the state
/// returns: the slowest strongly connected part decides. A ratio of 0 means that nothing limits the
/// rate. Nothing is returned once `firingLimit` starts of actors have passed without a return. The
/// graph must be live. Ghamarian et al., "Throughput analysis of synchronous data flow graphs",
/// ACSD 2006. With `wheels`, one per actor, a firing takes what its wheel makes of its time; such
/// an actor does one firing at a time.
std::optional<CycleRatio> selfTimedPeriod(const SdfGraph &graph,
                                          const std::vector<uint64_t> &repetitions,
                                          uint64_t firingLimit,
                                          const std::vector<TimeWheel> &wheels = {});

} // namespace spindle
