// A clustering against the network that it claims to hold.
#pragma once

#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

/// verify(clustering), and everything that needs the graph, counted again from the synapses: every
/// neuron of the chip has its chain and no input neuron has one; blocks are balanced and no larger
/// than the rows; axons, synapses, spikes, links and partial sums are those of the synapses.
/// O(synapses · log).
llvm::Error verifyAgainst(const SpikingGraph &graph, const Clustering &clustering);

} // namespace spindle
