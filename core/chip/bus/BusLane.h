// One lane of a segmented bus: which of its segments are taken.
#pragma once

#include "core/chip/topology/BusLine.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace spindle {

class BusLane {
public:
  explicit BusLane(uint32_t segmentCount) : segments(segmentCount) {}

  void take(BusSpan span, uint64_t freeCycle) { taken[span.first] = {span.last, freeCycle}; }
  /// A span that was taken.
  void free(BusSpan span) { taken.erase(span.first); }

  bool isFree(BusSpan span) const {
    auto next = behind(span.first);
    return next == taken.end() || next->first >= span.last;
  }
  /// From here on a span that is not free will be.
  uint64_t freeCycle(BusSpan span) const {
    uint64_t cycle = 0;
    for (auto next = behind(span.first); next != taken.end() && next->first < span.last; ++next)
      cycle = std::max(cycle, next->second.freeCycle);
    return cycle;
  }
  /// A span that is free, and what is free on both of its sides.
  BusSpan freeAround(BusSpan span) const {
    auto next = taken.lower_bound(span.last);
    return {next == taken.begin() ? 0 : std::prev(next)->second.last,
            next == taken.end() ? segments : next->first};
  }
  /// Calls visit(span) for what is free of a span, each as long as it is.
  template <typename Visit> void visitFree(BusSpan span, Visit visit) const {
    uint32_t first = span.first;
    for (auto next = behind(first); next != taken.end() && next->first < span.last; ++next) {
      if (first < next->first)
        visit(BusSpan{first, next->first});
      first = next->second.last;
    }
    if (first < span.last)
      visit(BusSpan{first, span.last});
  }

private:
  struct Taken {
    uint32_t last;
    uint64_t freeCycle;
  };

  /// What is taken of this segment, or next behind it.
  std::map<uint32_t, Taken>::const_iterator behind(uint32_t segment) const {
    auto next = taken.upper_bound(segment);
    return next != taken.begin() && std::prev(next)->second.last > segment ? std::prev(next) : next;
  }

  uint32_t segments;
  std::map<uint32_t, Taken> taken; // by first segment; none meet
};

} // namespace spindle
