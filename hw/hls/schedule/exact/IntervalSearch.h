// Whether an interval has a schedule, of any depth.
#pragma once

#include "hw/hls/schedule/Placement.h"
#include "hw/hls/schedule/exact/StartSearch.h"

namespace spindle::hls {

/// Of an interval that is not below the bounds. Only operations on circles are searched, and those
/// that take more than one row or instance: all others have no last cycle and take rows that are
/// left. After Found, `result` holds a complete placement, neither short nor otherwise good.
SearchOutcome searchInterval(const Problem &problem, const Precedences &precedences,
                             unsigned interval, SearchBudget &budget,
                             std::optional<Placement> &result);

} // namespace spindle::hls
