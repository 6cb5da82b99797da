// The synapses of a network: linear operations between two populations composed to one.
#pragma once

#include "core/network/synapses/SynapseKind.h"
#include "lib/emulation/network/Network.h"

namespace spindle {

/// Compressed rows by postsynaptic neuron, as in SpikingGraph.
struct Synapses {
  std::vector<uint64_t> offsets; // neurons + 1
  std::vector<NeuronId> sources; // ascending per neuron
  std::vector<float> weights;
  std::vector<ProjectionKind> projections; // ascending (from, to)
};

/// Neurons that no population drives (the first ones under direct encoding) have no synapses.
/// Several ways from one neuron to another become one synapse: branches that join, feedback beside
/// the direct way, ways of different delays. A maximum pooling reads its window with weights of
/// one. Inhibitory conductances count as negative weights.
Synapses composeSynapses(const Network &network);

/// Of the synapses that an operation stands for.
SynapseKind synapseKindOf(mlir::Operation *op);

/// How many there are, and how often they were used.
struct SynapseCount {
  uint64_t synapses = 0;
  uint64_t events = 0; // sum over synapses of the spikes of the neuron before it
};

/// The synapses onto the populations for which `counts` holds, of a network or a part of one.
/// `spikes` are those of all neurons, in the numbers of `wholePopulations`.
SynapseCount synapsesOnto(const Network &network, const std::vector<uint64_t> &spikes,
                          llvm::function_ref<bool(const NetworkOp &)> counts);

} // namespace spindle
