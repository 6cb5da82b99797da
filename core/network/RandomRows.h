// Connections that are drawn: the sources of each target, a pure function of key and target.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace spindle {

struct IndexRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
  bool contains(int64_t n) const { return begin <= n && n < end; }
};

/// A rule that joins sources with targets at random. Each pair is joined with `probability`, or,
/// where `fanIn` is given, each target with as many sources, without repetition. A row needs no
/// other row, so that parts of a projection can be made alone, in any order.
struct RandomRows {
  uint64_t key = 0; // of Philox; the counter holds the target
  double probability = 0;
  std::optional<int64_t> fanIn = {}; // at most `candidates`
  IndexRange sources, targets;       // targets outside have no sources
  bool avoidsSelf = false;           // source n and target n are one neuron, and not connected

  /// The sources that may be joined with a target.
  int64_t candidates(int64_t target) const {
    return sources.size() - (avoidsSelf && sources.contains(target));
  }
  /// Appends the sources of a target, ascending. Time grows with the synapses, not with the pairs:
  /// distances between connected pairs are geometric.
  void append(int64_t target, std::vector<int32_t> &row) const;
};

} // namespace spindle
