#include "lib/sdf/steps/AwakeNeurons.h"

#include <algorithm>

namespace spindle {

AwakeNeurons::AwakeNeurons(uint32_t neurons, const SpikingGraph *graph)
    : awake(neurons), restless(neurons) {
  if (!graph)
    return;
  restless = restlessNeurons(*graph);
  offsets.assign(size_t(neurons) + 1, 0);
  for (NeuronId source : graph->sources)
    ++offsets[source + 1];
  for (NeuronId n = 0; n < neurons; ++n)
    offsets[n + 1] += offsets[n];
  targets.resize(graph->sources.size());
  std::vector<uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (NeuronId n = 0; n < neurons; ++n)
    for (uint64_t s = graph->offsets[n]; s < graph->offsets[n + 1]; ++s)
      targets[next[graph->sources[s]]++] = n;
}

void AwakeNeurons::beginSample() {
  std::fill(awake.begin(), awake.end(), false);
  reached.clear();
}

void AwakeNeurons::beginStep(llvm::ArrayRef<NeuronId> spikes) {
  for (NeuronId neuron : reached)
    awake[neuron] = true;
  for (NeuronId neuron : spikes)
    awake[neuron] = true;
}

void AwakeNeurons::endStep(llvm::ArrayRef<NeuronId> spikes) {
  reached.clear();
  for (NeuronId neuron : spikes) {
    awake[neuron] = restless[neuron];
    if (!offsets.empty())
      reached.insert(reached.end(), targets.begin() + ptrdiff_t(offsets[neuron]),
                     targets.begin() + ptrdiff_t(offsets[neuron + 1]));
  }
}

} // namespace spindle
