// The smallest interval, with a proof.
#pragma once

#include "hw/hls/schedule/problem/Schedule.h"

#include <cstdint>

namespace spindle::hls {

struct ExactOptions {
  bool isPipelined = true;    // false: interval 0, only the depth is searched
  bool minimizesDepth = true; // after the interval; a search of its own
  double seconds = 10;        // for the searches
  /// The heuristic that they start from counts, too; synthesis wants the same start everywhere.
  bool limitsHeuristic = false;
  /// A limit that does not depend on the machine: operations placed by the search.
  uint64_t steps = UINT64_MAX;
};

struct ExactSchedule {
  Schedule schedule;
  /// All intervals below that of the schedule are shown to have no schedule.
  bool isProven = false;
  unsigned lowerBound = 0; // of the interval: none below it has a schedule
  /// No schedule of this interval is shorter.
  bool isDepthProven = false;
  unsigned depthBound = 0;
};

/// Starts from the modulo heuristic and shows by branch and bound, interval by interval, that there
/// is none better, or finds one; then the same for the depth. Only operations on circles of
/// dependences need the search for the interval: the others fit wherever rows are left.
llvm::Expected<ExactSchedule> scheduleExact(const Problem &problem,
                                            const ExactOptions &options = {});

} // namespace spindle::hls
