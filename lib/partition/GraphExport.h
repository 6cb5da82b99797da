// The spiking graph for other tools.
#pragma once

#include "core/network/SpikingGraph.h"

namespace spindle {

/// METIS `.graph`: neurons numbered from 1, undirected edges. METIS wants weights above zero: an
/// edge weighs 1 + the spikes that go over it, in both directions where there are two; a neuron's
/// synapse onto itself is left out.
llvm::Error writeMetisGraph(const std::string &path, const SpikingGraph &graph);

/// GraphML, directed: nodes with population and spikes, edges with weight and spikes.
llvm::Error writeGraphMl(const std::string &path, const SpikingGraph &graph);

} // namespace spindle
