#include "lib/emulation/diagnosis/LayerErrors.h"

#include <algorithm>
#include <cmath>

namespace spindle {

LayerErrors::LayerErrors(snn::NeuronOp op, const Population &members, const LayerActivations &ofAnn,
                         const std::vector<double> &scales, uint32_t allSteps)
    : population(members), activations(ofAnn), scale(scales), steps(allSteps), spiked(members.size),
      active(members.size) {
  snn::NeuronModel model = op.neuronModel();
  codesTimes = model.kind == snn::NeuronKind::FirstSpike;
  start = model.start;
  window = model.window;
  maxSpikes = model.maxSpikes;
}

double LayerErrors::worth(uint32_t step) const {
  return codesTimes ? double(start + window - step) / double(window) : 1.0 / double(steps);
}

void LayerErrors::read(llvm::ArrayRef<Spike> spikes) {
  std::vector<double> values(population.size);
  std::vector<int64_t> counts(population.size);
  for (const Spike &spike : spikes) {
    uint32_t n = spike.neuron - population.first;
    if (n >= population.size) // also of populations before
      continue;
    values[n] += worth(spike.step);
    ++counts[n];
  }
  const float *ofSample = activations.values.data() + samples++ * population.size;
  size_t perScale = population.size / scale.size();
  for (uint32_t n = 0; n < population.size; ++n) {
    double error = ofSample[n] / scale[n / perScale] - values[n];
    errors += error;
    squaredErrors += error * error;
    spikeCount += static_cast<uint64_t>(counts[n]);
    saturatedCount += codesTimes ? values[n] == 1 : counts[n] == maxSpikes * steps;
    spiked[n] = spiked[n] || counts[n] > 0;
    active[n] = active[n] || ofSample[n] > 0;
  }
}

DiagnosedLayer LayerErrors::result() const {
  DiagnosedLayer layer;
  layer.name = population.name;
  layer.code = codesTimes ? "first_spike" : "rate";
  layer.neurons = population.size;
  double neurons = population.size, pairs = neurons * double(samples);
  layer.rateError = std::sqrt(squaredErrors / pairs);
  layer.meanError = errors / pairs;
  layer.saturated = double(saturatedCount) / pairs;
  uint64_t dead = 0, deadInAnn = 0;
  for (uint32_t n = 0; n < population.size; ++n) {
    dead += !spiked[n];
    deadInAnn += !spiked[n] && !active[n];
  }
  layer.dead = double(dead) / neurons;
  layer.deadInAnn = double(deadInAnn) / neurons;
  layer.neuronSpikes = double(spikeCount) / pairs;
  return layer;
}

} // namespace spindle
