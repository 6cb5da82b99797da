#include "core/network/synapses/AwakeNeurons.h"

#include <algorithm>
#include <utility>

namespace spindle {

AwakeNeurons::AwakeNeurons(uint32_t neurons, const SpikingGraph *graph)
    : awake(neurons), restless(neurons) {
  if (!graph)
    return;
  restless = restlessNeurons(*graph);
  reach = SpikeReach(*graph);
  lastStep.assign(reach.size(), 0);
}

void AwakeNeurons::beginSample() {
  std::fill(awake.begin(), awake.end(), false);
  reached.clear();
}

void AwakeNeurons::beginStep(llvm::ArrayRef<NeuronId> spikes) {
  for (uint32_t list : reached)
    reach.visitMembers(list, [&](NeuronId neuron) { awake[neuron] = true; });
  for (NeuronId neuron : spikes)
    awake[neuron] = true;
}

void AwakeNeurons::endStep(llvm::ArrayRef<NeuronId> spikes) {
  reached.clear();
  ++step;
  for (NeuronId neuron : spikes) {
    awake[neuron] = restless[neuron];
    for (uint32_t list : reach.listsOf(neuron))
      if (std::exchange(lastStep[list], step) != step)
        reached.push_back(list);
  }
}

} // namespace spindle
