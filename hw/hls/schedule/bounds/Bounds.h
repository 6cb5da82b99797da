// Why an interval cannot be smaller.
#pragma once

#include "hw/hls/schedule/bounds/Precedences.h"

namespace spindle::hls {

struct Bounds {
  /// Of the circle of dependences with the most latency per distance, chains of delays included:
  /// its operations in order (Rau 1994). 1 and empty without circles that need more.
  unsigned recurrence = 1;
  std::vector<unsigned> circle;
  unsigned circleLatency = 0, circleDistance = 0;

  /// Cycles for which all uses of a resource take its instances, divided by their number, or the
  /// longest time that one operation takes an instance. 1 and nothing where no resource needs more.
  unsigned resource = 1;
  std::optional<unsigned> scarcest; // the resource

  unsigned interval() const { return std::max(recurrence, resource); }
};

/// Of a verified problem. The recurrence bound is exact for a problem without resources.
Bounds boundsOf(const Problem &problem);
Bounds boundsOf(const Problem &problem, const Precedences &precedences);

/// `recurrence 3: load_A -> add -> store_A (latency 3, distance 1)`
std::string recurrenceText(const Problem &problem, const Bounds &bounds);

/// `resource 4: port (7 cycles on 2 instances)`
std::string resourceText(const Problem &problem, const Bounds &bounds);

} // namespace spindle::hls
