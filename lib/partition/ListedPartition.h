// Clusters that a list of placements says.
#pragma once

#include "core/chip/file/PlacementList.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

/// A cluster for each crossbar that neurons are listed on. Errors: a neuron of the chip that is not
/// listed, an input or a neuron beyond the network that is, a crossbar with more columns, rows or
/// synapses than it has, and neurons that need several columns.
llvm::Expected<Clustering> partitionAsListed(const SpikingGraph &graph, const Chip &chip,
                                             const PlacementList &list);

} // namespace spindle
