// When a search ends for lack of time.
#pragma once

#include <algorithm>
#include <chrono>

namespace spindle::hls {

struct Deadline {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::time_point::max(); // never

  bool isOver() const { return end != Clock::time_point::max() && Clock::now() > end; }

  /// A century is as good as no limit and does not overflow the clock.
  static Deadline in(double seconds) {
    std::chrono::duration<double> length(std::clamp(seconds, 0.0, 3e9));
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(length)};
  }
};

} // namespace spindle::hls
