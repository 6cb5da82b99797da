// A processor that goes to its users in turn.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace spindle {

/// How the time of a firing on a shared processor is counted. `Exact`: what it takes. `Sdf3`: as
/// SDF3 counts it, which forgets one gap for a firing that begins inside its slice and ends with
/// less than a whole one; kept for comparison with figures of SDF3.
enum class WheelRule : uint8_t { Exact, Sdf3 };

/// The last `slice` of every `size` time units, counted from the start; a size of 0: all of them.
struct TimeWheel {
  uint64_t size = 0, slice = 0;
  WheelRule rule = WheelRule::Exact;

  uint64_t gap() const { return size - slice; }

  /// From `now` until `work` time units of the slice are over.
  uint64_t response(uint64_t now, uint64_t work) const {
    if (gap() == 0 || work == 0)
      return work;
    uint64_t at = now % size;
    uint64_t wait = at < gap() ? gap() - at : 0;
    uint64_t first = at < gap() ? slice : size - at; // of the slice that is the first to be used
    if (work <= first)
      return wait + work;
    bool forgets = rule == WheelRule::Sdf3 && wait == 0;
    uint64_t gaps = (work - first + (forgets ? 0 : slice - 1)) / slice;
    return wait + work + gaps * gap();
  }
};

/// Time units after which all wheels are where they were, at least 1.
inline uint64_t roundOf(const std::vector<TimeWheel> &wheels) {
  uint64_t round = 1;
  for (const TimeWheel &wheel : wheels)
    if (wheel.size > 0 && wheel.gap() > 0)
      round = std::lcm(round, wheel.size);
  return round;
}

} // namespace spindle
