// Data-flow graph → repetition vector, period, throughput, critical cycle, latency.
#pragma once

#include "core/chip/sdf/SdfAnalysis.h"
#include "lib/sdf/SdfOptions.h"

namespace spindle {

/// Analyses a graph exactly. Actors fire as often at once as their tokens allow; a channel from an
/// actor to itself with one initial token keeps it to one firing at a time. The period is computed
/// as a maximum cycle ratio and, within `options.selfTimedFirings`, by self-timed execution; both
/// must agree. Errors: inconsistent rates, deadlock, a graph too large, a rate that nothing limits.
llvm::Expected<SdfAnalysis> analyze(const SdfGraph &graph, const SdfOptions &options);

} // namespace spindle
