// Throughput by running the graph until its state returns.
#pragma once

#include "lib/sdf/CycleRatio.h"

#include <optional>

namespace spindle {

/// Time per iteration in the periodic regime of self-timed execution (every firing as early as its
/// tokens allow, any number of firings of an actor at once): the slowest strongly connected part
/// decides. A ratio of 0 means that nothing limits the rate. Nothing is returned once `firingLimit`
/// starts of actors have passed without a return. The graph must be live. Ghamarian et al.,
/// "Throughput analysis of synchronous data flow graphs", ACSD 2006.
std::optional<CycleRatio> selfTimedPeriod(const SdfGraph &graph,
                                          const std::vector<uint64_t> &repetitions,
                                          uint64_t firingLimit);

} // namespace spindle
