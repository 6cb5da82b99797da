// Operations whose starts depend on more than precedences.
#pragma once

#include "hw/hls/schedule/bounds/Precedences.h"

namespace spindle::hls {

/// By operation: whether it uses a resource that has fewer instances than uses. The others always
/// find theirs.
std::vector<bool> competitorsOf(const Problem &problem);

/// Cycles from the start of one operation to those of all others at the least.
std::vector<int64_t> pathsFrom(const Precedences &precedences, unsigned operation,
                               unsigned interval);

} // namespace spindle::hls
