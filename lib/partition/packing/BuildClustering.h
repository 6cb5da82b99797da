// From the cluster of each unit to everything that a clustering says.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

/// Clusters are renumbered in the order of their first units, so that neighbours in the network
/// have neighbouring numbers. A link stands for every pair of clusters with an axon or a carried
/// sum between them, also where no spike of the recorded samples went over it. O(synapses · log).
Clustering buildClustering(const SpikingGraph &graph, std::vector<Unit> units,
                           const std::vector<ClusterId> &clusterOf, const Crossbar &crossbar);

/// Its first step: clusters with their units, without axons and links.
Clustering clusterUnits(const SpikingGraph &graph, std::vector<Unit> units,
                        const std::vector<ClusterId> &clusterOf, const Crossbar &crossbar);
/// Its last step: the links that axons and the sums sent on by each unit make.
void fillLinks(const SpikingGraph &graph, const std::vector<uint64_t> &partialSums,
               Clustering &result);

/// Upper bound of the partial sums that each unit sends on: one per step in which it or the units
/// before it in the chain hear a spike. Zero for the last unit of a chain.
std::vector<uint64_t> partialSumBounds(const SpikingGraph &graph, const std::vector<Unit> &units);

} // namespace spindle
