// Who drives whom: neurons, synapses, and how often every neuron spiked in the recorded samples.
#pragma once

#include "core/network/Population.h"
#include "core/network/synapses/SynapseKind.h"
#include "core/support/Error.h"

#include <span>

namespace spindle {

/// Synapses in compressed rows by postsynaptic neuron: neuron n is driven by
/// sources[offsets[n] .. offsets[n+1]), ascending, with the weights beside them.
///
/// Large graphs have lists that neurons share: neuron n is driven by list l = lists[n], that is by
/// sources[offsets[l] .. offsets[l+1]). All channels of a convolution have one list at each place,
/// all neurons of a dense layer one together. Such graphs have no weights; members of a list are of
/// one population.
struct SpikingGraph {
  std::vector<Population> populations;
  uint32_t samples = 0;          // recorded samples behind `spikes`
  uint32_t steps = 0;            // per sample
  std::vector<uint64_t> spikes;  // per neuron, over all recorded samples
  std::vector<uint64_t> offsets; // neurons + 1, or lists + 1
  std::vector<NeuronId> sources; // per synapse, or per entry of a list
  std::vector<float> weights;    // per synapse, in units of the threshold's own scale
  /// Ascending (from, to), where the kind of synapses is known.
  std::vector<ProjectionKind> projections = {};
  /// Per population, whether something is left of a membrane after a spike (reset by subtraction);
  /// empty: of none.
  std::vector<uint8_t> restless = {};
  std::vector<uint32_t> lists = {}; // per neuron, where lists are shared
  bool isRestless(size_t population) const { return !restless.empty() && restless[population]; }

  uint32_t neurons() const { return static_cast<uint32_t>(spikes.size()); }
  bool sharesLists() const { return !lists.empty(); }
  uint32_t listOf(NeuronId n) const { return lists.empty() ? n : lists[n]; }
  uint64_t synapses() const;
  uint32_t fanIn(NeuronId n) const {
    uint32_t list = listOf(n);
    return static_cast<uint32_t>(offsets[list + 1] - offsets[list]);
  }
  std::span<const NeuronId> sourcesOf(NeuronId n) const {
    return {sources.data() + offsets[listOf(n)], fanIn(n)};
  }

  bool operator==(const SpikingGraph &) const = default;
};

/// An error of the file `place` where lists are shared, for `what` needs the synapses one by one.
llvm::Error needSynapses(const SpikingGraph &graph, const std::string &place,
                         const std::string &what);

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
