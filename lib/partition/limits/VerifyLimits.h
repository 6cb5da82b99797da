// Whether clusters keep what a core of a real chip has.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

/// Synapse memory, axons and fan-in of every cluster, counted again from its synapses by code that
/// shares nothing with what made it (CoreUses.h). `clustering` is one of the graph.
llvm::Error verifyLimits(const SpikingGraph &graph, const Clustering &clustering,
                         const Crossbar &crossbar);

} // namespace spindle
