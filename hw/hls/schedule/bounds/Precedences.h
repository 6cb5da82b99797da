// A problem without its resources, as difference constraints between start cycles.
#pragma once

#include "hw/hls/schedule/problem/Problem.h"

#include <cstdint>

namespace spindle::hls {

/// start[to] + interval * distance >= start[from] + weight
struct Precedence {
  unsigned from, to;
  unsigned weight;
  unsigned distance;
  std::vector<unsigned> via; // operations between the two ends of a chain of delays
};

/// All dependences, and one precedence more for every chain of combinational delays that does not
/// fit into a cycle: its last operation must come a cycle after the first result. With these, a
/// vector of starts satisfies the precedences if and only if it satisfies the dependences and no
/// chain is longer than the clock period (Cong & Zhang 2006, with distances).
struct Precedences {
  std::vector<unsigned> spans; // of every operation, see spanOf
  std::vector<Precedence> all;
  std::vector<std::vector<unsigned>> incoming, outgoing; // by operation, indices into `all`
  std::vector<unsigned> order; // of the operations, along the precedences of distance 0
};

/// Of a verified problem. The number of chains is bounded by the operations that are reached within
/// a clock period.
Precedences precedencesOf(const Problem &problem);

/// Cycles by which an interval helps a precedence of its distance; without pipelining (interval 0)
/// only those of distance 0 bind.
inline bool binds(const Precedence &precedence, unsigned interval) {
  return interval > 0 || precedence.distance == 0;
}
inline int64_t lengthOf(const Precedence &precedence, unsigned interval) {
  return int64_t(precedence.weight) - int64_t(interval) * precedence.distance;
}

struct LongestPaths {
  std::vector<int64_t> length;
  /// Empty, or the precedences of a circle of positive length: then there is no schedule at this
  /// interval, and `length` means nothing.
  std::vector<unsigned> circle;
};

/// Value of a node that no path reaches.
constexpr int64_t unreached = INT64_MIN / 4;

/// The least lengths with length[to] >= length[from] + lengthOf(precedence), none below `from`.
/// With `from` all zero: the earliest starts. Bellman-Ford along `order`: as many passes as a
/// longest path has precedences against the order, a pass takes linear time.
LongestPaths longestPathsFrom(const Precedences &precedences, unsigned interval,
                              std::vector<int64_t> from);

/// Cycles from the start of every operation to the end of its iteration at the least: its span, or
/// more where others follow.
LongestPaths longestPathsToEnd(const Precedences &precedences, unsigned interval);

} // namespace spindle::hls
