// A hypergraph in two halves.
#pragma once

#include "core/support/CounterRandom.h"
#include "lib/partition/Hypergraph.h"

#include <array>

namespace spindle {

/// A half of the network, and what it may hold.
struct TwoSides {
  std::vector<char> sideOf;           // per vertex, 0 or 1
  std::array<uint64_t, 2> capacities; // columns of each side
};

/// What a net costs that has ends on both sides, per net.
using NetWeights = std::vector<int64_t>;

/// Moves vertices between the sides until the nets cut cost no less (Fiduccia & Mattheyses 1982).
/// On the way a side may be fuller than it should by a fiftieth; in the end no fuller than before.
/// Returns the columns above the capacities and the cost, to be compared in this order.
std::pair<uint64_t, int64_t> refineSides(const Hypergraph &graph, const NetWeights &weights,
                                         TwoSides &sides, CounterRandom &random);

} // namespace spindle
