// Local improvement of a schedule whose interval stands.
#pragma once

#include "hw/hls/schedule/Placement.h"
#include "hw/hls/schedule/bounds/Deadline.h"

namespace spindle::hls {

/// Moves operations one by one to earlier cycles until none can move, or time is up: depth never
/// grows.
void pullForward(const Problem &problem, Placement &placement, const Deadline &deadline = {});

/// Moves operations one by one within the depth so that values wait less in registers: the sum over
/// all values of the cycles from their result to their last use never grows.
void shortenLifetimes(const Problem &problem, Placement &placement, const Deadline &deadline = {});

/// Cycles that values wait, as above.
uint64_t lifetimesOf(const Problem &problem, const Schedule &schedule);

} // namespace spindle::hls
