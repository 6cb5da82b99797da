// Which neurons are not at rest, where a chip tells them apart.
#pragma once

#include "core/network/synapses/SpikeReach.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

/// A neuron is awake from the step after one in which a spike reached it until it spikes, and in
/// the step in which it spikes; one of a restless population, once it is, to the end of the sample:
/// only then is it updated (docs/formats/chip.md). Samples begin at rest.
class AwakeNeurons {
public:
  /// Without a graph only neurons that spike are known to be awake.
  AwakeNeurons(uint32_t neurons, const SpikingGraph *graph);

  void beginSample();
  /// Begins a step in which these spike.
  void beginStep(llvm::ArrayRef<NeuronId> spikes);
  bool isAwake(NeuronId neuron) const { return awake[neuron]; }
  /// What the spikes of this step reach is awake in the next.
  void endStep(llvm::ArrayRef<NeuronId> spikes);

private:
  std::vector<bool> awake, restless;
  SpikeReach reach;
  std::vector<uint32_t> reached;  // lists
  std::vector<uint64_t> lastStep; // per list: when a spike reached it, counted from 1
  uint64_t step = 0;
};

} // namespace spindle
