// In which order the actors of a tile fire.
#pragma once

#include "lib/sdf/bound/BoundGraph.h"

namespace spindle {

/// The order of the firings of each of `tiles` tiles in the periodic regime of list scheduling:
/// whenever a tile is free it begins what has been enabled for longest, in the order of the actors
/// where that is equal. `bound` has no orders yet; `repetitions` are its own. Where that regime is
/// not one order from the start on (an actor is ahead by more than the rest of a round), or
/// `firingLimit` firings end before it returns, the order in which one iteration is scheduled.
/// Nothing where the graph deadlocks.
std::optional<std::vector<std::vector<ActorId>>>
listSchedule(const BoundGraph &bound, const std::vector<uint64_t> &repetitions, size_t tiles,
             uint64_t firingLimit);

} // namespace spindle
