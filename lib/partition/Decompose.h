// Fan-in decomposition: neurons with more sources than a crossbar has rows become several units.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

/// The columns that the network needs, in no cluster yet. A neuron with fan-in F becomes
/// k = max(1, ceil(F / rows)) units over contiguous blocks of its ascending sources
/// (`unitOffsets`); block sizes differ by at most one. With pairs a neuron that does not fit
/// becomes F - 1 units. Neurons of input populations need no column. They carry as `shape` says.
/// Two units of one neuron never fit into one crossbar: their 2F/k sources are more than its rows,
/// because F > (k - 1)·rows >= k/2·rows. So partial sums travel whatever the partition does, but
/// for pairs, of which a crossbar holds many. Requires rows > 0, for pairs rows > 1. O(units).
std::vector<Unit> decompose(const SpikingGraph &graph, const Crossbar &crossbar,
                            FanInShape shape = FanInShape::Rows);

} // namespace spindle
