// Who drives whom: neurons, synapses, and how often every neuron spiked in the recorded samples.
#pragma once

#include "core/network/Population.h"
#include "core/network/synapses/SynapseKind.h"
#include "core/support/Error.h"

namespace spindle {

/// Synapses in compressed rows by postsynaptic neuron: neuron n is driven by
/// sources[offsets[n] .. offsets[n+1]), ascending, with the weights beside them.
struct SpikingGraph {
  std::vector<Population> populations;
  uint32_t samples = 0;          // recorded samples behind `spikes`
  uint32_t steps = 0;            // per sample
  std::vector<uint64_t> spikes;  // per neuron, over all recorded samples
  std::vector<uint64_t> offsets; // neurons + 1
  std::vector<NeuronId> sources; // per synapse
  std::vector<float> weights;    // per synapse, in units of the threshold's own scale
  /// Ascending (from, to), where the kind of synapses is known.
  std::vector<ProjectionKind> projections = {};
  /// Per population, whether something is left of a membrane after a spike (reset by subtraction);
  /// empty: of none.
  std::vector<uint8_t> restless = {};
  bool isRestless(size_t population) const { return !restless.empty() && restless[population]; }

  uint32_t neurons() const { return static_cast<uint32_t>(spikes.size()); }
  uint64_t synapses() const { return sources.size(); }
  uint32_t fanIn(NeuronId n) const { return static_cast<uint32_t>(offsets[n + 1] - offsets[n]); }

  bool operator==(const SpikingGraph &) const = default;
};

/// Per neuron, by its population.
std::vector<bool> restlessNeurons(const SpikingGraph &graph);

/// Offsets ascending and complete, sources ascending and in range per neuron, sizes equal, no
/// synapse onto an input population, projections between populations that are there, `restless` 0
/// or 1 for each population or for none.
llvm::Error verify(const SpikingGraph &graph);

/// HDF5, SONATA edges layout with the offsets beside it (docs/formats/graph.md). Of a file the
/// weights must be finite, too, and the spikes no more than can be counted exactly.
llvm::Error writeSpikingGraph(const std::string &path, const SpikingGraph &graph);
llvm::Expected<SpikingGraph> readSpikingGraph(const std::string &path);

} // namespace spindle
