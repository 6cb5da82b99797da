// In how many clusters a neuron is heard, at least.
#pragma once

#include "core/chip/Chip.h"
#include "lib/partition/Hypergraph.h"

namespace spindle {

struct LeastReach {
  // Of each neuron of a net:
  std::vector<uint64_t> rows;       // clusters that read it; 0 where nobody does
  std::vector<uint64_t> deliveries; // clusters that read it and lack its membrane
};

/// The readers of a net take columns, and what else they read takes rows beside the net itself:
///   clusters >= readers / columns, clusters >= (sources of the readers - 1) / (rows - 1).
/// One of them may hold the membrane, where a reader and the driver fit into one crossbar, or the
/// driver reads itself; it then has room for a reader less. O(pins × readers of a net), as far as
/// that is below some hundred million; beyond, the rows of the readers are left out. Vertices of
/// several columns with the same pins stand for these columns, which a partition may tell apart.
LeastReach leastReach(const Hypergraph &units, const Crossbar &crossbar);

} // namespace spindle
