// The kinds of synapses that a neuron has, run by run.
#pragma once

#include "core/network/SpikingGraph.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace spindle {

/// Must not outlive the graph, whose populations and projections are valid.
class SynapseRuns {
public:
  explicit SynapseRuns(const SpikingGraph &of);

  /// Synapses [begin, end) of one kind.
  using Visit = llvm::function_ref<void(uint64_t begin, uint64_t end, SynapseKind kind)>;
  /// Those of [first, last), all of them onto `target`: a run for each population they come from.
  void forEach(NeuronId target, uint64_t first, uint64_t last, Visit visit) const;

private:
  size_t populationOf(NeuronId neuron) const;

  const SpikingGraph &graph;
  std::vector<size_t> firstOnto; // per population, of the projections by their ends; and the end
  std::vector<ProjectionKind> byEnd;
};

} // namespace spindle
