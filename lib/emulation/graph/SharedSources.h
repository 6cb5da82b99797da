// Who drives whom, with lists that neurons share: what is too much to write down one by one.
#pragma once

#include "core/network/SpikingGraph.h"
#include "lib/emulation/network/Network.h"

namespace spindle {

/// About how many synapses a network has: those of convolutions and dense layers, poolings in front
/// of them left out.
uint64_t estimateSynapses(const Network &network);

/// Fills `offsets`, `sources`, `lists` and `projections` of a graph: for every neuron the neurons
/// that `composeSynapses` finds, without their weights, as `forEachDrive` lists them.
void shareSources(const Network &network, SpikingGraph &graph);

} // namespace spindle
