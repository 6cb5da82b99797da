// The synapses of a network: linear operations between two populations composed to one.
#pragma once

#include "lib/emulation/Network.h"

namespace spindle {

/// Compressed rows by postsynaptic neuron, as in SpikingGraph.
struct Synapses {
  std::vector<uint64_t> offsets; // neurons + 1
  std::vector<NeuronId> sources; // ascending per neuron
  std::vector<float> weights;
};

/// Neurons that no population drives (the first ones under direct encoding) have no synapses.
Synapses composeSynapses(const Network &network);

} // namespace spindle
