// Whether an interval has a schedule of a given depth.
#pragma once

#include "hw/hls/schedule/Placement.h"
#include "hw/hls/schedule/exact/StartSearch.h"

namespace spindle::hls {

/// Of a depth that is not below the longest path; interval 0 is not pipelined. After Found,
/// `result` holds a complete placement.
SearchOutcome searchDepth(const Problem &problem, const Precedences &precedences, unsigned interval,
                          unsigned depth, SearchBudget &budget, std::optional<Placement> &result);

} // namespace spindle::hls
