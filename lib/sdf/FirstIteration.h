// Liveness and latency of a data-flow graph.
#pragma once

#include "core/chip/SdfGraph.h"

namespace spindle {

/// Time from the start to the end of the last firing of the first iteration, every firing as early
/// as its tokens allow. A graph that cannot finish one iteration is deadlocked: the error names the
/// actors that wait for each other in a circle. O(firings × channels per actor).
llvm::Expected<uint64_t> firstIterationLatency(const SdfGraph &graph,
                                               const std::vector<uint64_t> &repetitions);

} // namespace spindle
