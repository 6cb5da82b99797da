// Which places of a segmented bus wait, found by the segments that they need.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spindle {

/// A binary tree over the places, each node with the fewest segments that one of its places needs.
class WaitingPlaces {
public:
  static constexpr uint32_t kNone = UINT32_MAX; // the place does not wait

  explicit WaitingPlaces(uint32_t places)
      : leaves(std::bit_ceil(places)), nodes(2 * leaves, kNone) {}

  void set(uint32_t place, uint32_t segments) {
    size_t node = place + leaves;
    nodes[node] = segments;
    while ((node /= 2) > 0)
      nodes[node] = std::min(nodes[2 * node], nodes[2 * node + 1]);
  }
  bool waits(uint32_t place) const { return nodes[place + leaves] != kNone; }
  bool isEmpty() const { return nodes[1] == kNone; }
  /// The first place from this one on that needs no more than so many segments, fewer than kNone;
  /// where there is none, a number above all places. O(log places).
  uint32_t firstFrom(uint32_t place, uint32_t segments) const {
    if (place >= leaves)
      return place;
    size_t node = place + leaves;
    while (nodes[node] > segments) {
      while (node % 2 == 1) // the last of those below the node above it
        node /= 2;
      if (node == 0)
        return static_cast<uint32_t>(leaves);
      ++node;
    }
    while (node < leaves) {
      node *= 2;
      node += nodes[node] > segments;
    }
    return static_cast<uint32_t>(node - leaves);
  }

private:
  size_t leaves;
  std::vector<uint32_t> nodes; // the root at 1, those below node n at 2n and 2n + 1
};

} // namespace spindle
