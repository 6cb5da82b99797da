// Which of many spikes are shown with their ways.
#pragma once

#include "core/chip/lapse/TimeLapse.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace spindle {

/// Every n-th spike in the order of time, with the least n (a power of two) with which the ways
/// have no more than `mostHops` links together; and the slowest spike, the first of several.
class WayChoice {
public:
  explicit WayChoice(size_t mostHops) : most(mostHops) {}

  /// The next spike, which took so many cycles until its last target had it.
  void add(uint64_t latencyCycles, llvm::function_ref<SpikeWay()> way);

  uint64_t spikes() const { return number; }
  /// Ascending time.
  std::vector<SpikeWay> take();

private:
  struct Kept {
    uint64_t number;
    SpikeWay way;
  };
  void thin();

  size_t most, hops = 0;
  uint64_t number = 0, stride = 1;
  std::vector<Kept> kept;
  std::optional<Kept> slowest;
  uint64_t slowestCycles = 0;
};

} // namespace spindle
