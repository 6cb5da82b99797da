// The schedulers by name.
#pragma once

#include "hw/hls/schedule/exact/ExactSchedule.h"

namespace spindle::hls {

/// Named on the command line as in `kScheduleAlgorithmNames`, in this order.
enum class ScheduleAlgorithm { Asap, List, Sdc, Modulo, Exact };

inline constexpr const char *kScheduleAlgorithmNames[] = {"asap", "list", "sdc", "modulo", "exact"};

/// Runs one of them. The options concern the exact one, their time the modulo one too; the bounds
/// of the others are those of boundsOf and of the longest path, and what meets its bound is proven.
llvm::Expected<ExactSchedule> scheduleBy(ScheduleAlgorithm algorithm, const Problem &problem,
                                         const ExactOptions &options = {});

/// Interval with its bounds and their causes, depth, lifetimes, reservation table, starts.
std::string scheduleText(const Problem &problem, const ExactSchedule &result);

} // namespace spindle::hls
