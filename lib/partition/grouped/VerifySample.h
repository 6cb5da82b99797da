// Clusters of a graph with shared lists, checked by sample.
#pragma once

#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

/// Shares no code with what makes the clusters. All units are those of the graph, all synapses lie
/// in some cluster, and of `sampled` clusters, the first and the last among them, every axon,
/// every link to them and the partial sums of every link from them are counted again, synapse by
/// synapse. Errors name the cluster.
llvm::Error verifySample(const SpikingGraph &graph, const Clustering &clustering,
                         uint32_t sampled = 24);

} // namespace spindle
