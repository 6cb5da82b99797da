// A schedule for readers.
#pragma once

#include "hw/hls/schedule/problem/Schedule.h"

namespace spindle::hls {

/// One row per cycle of the interval (per cycle without pipelining), one column per instance that
/// is used, the operations in the cells; then one line per operation with its start.
std::string reservationText(const Problem &problem, const Schedule &schedule);

} // namespace spindle::hls
