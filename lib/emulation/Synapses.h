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
/// Several ways from one neuron to another become one synapse: branches that join, feedback beside
/// the direct way, ways of different delays. A maximum pooling reads its window with weights of
/// one. Inhibitory conductances count as negative weights.
Synapses composeSynapses(const Network &network);

} // namespace spindle
