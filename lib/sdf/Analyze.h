// Data-flow graph → repetition vector, period, throughput, critical cycle, latency.
#pragma once

#include "core/chip/sdf/SdfAnalysis.h"
#include "lib/sdf/SdfOptions.h"

namespace spindle {

/// Analyses a graph exactly. Actors fire as often at once as their tokens allow; a channel from an
/// actor to itself with one initial token keeps it to one firing at a time. The period is computed
/// as a maximum cycle ratio and, within `options.selfTimedFirings`, by self-timed execution; both
/// must agree. Only what limits it is expanded (periodic/LimitingCircle.h), `options.maximumFirings`
/// at most; an iteration that reads channels more than 30 million times is not executed, and has no
/// latency. Errors: inconsistent rates, deadlock, too many firings in what limits, a rate that
/// nothing limits.
llvm::Expected<SdfAnalysis> analyze(const SdfGraph &graph, const SdfOptions &options);

} // namespace spindle
