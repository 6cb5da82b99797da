// Adds up how the spikes of one layer differ from the activations of its rectifier.
#pragma once

#include "core/network/Activations.h"
#include "core/network/Diagnosis.h"
#include "core/network/Population.h"
#include "dialects/snn/Snn.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

class LayerErrors {
public:
  /// `scale`: the activation of the largest value, one or one per channel.
  LayerErrors(snn::NeuronOp op, const Population &population, const LayerActivations &activations,
              const std::vector<double> &scale, uint32_t steps);

  /// The spikes of all populations for the next sample.
  void read(llvm::ArrayRef<Spike> spikes);

  /// Everything but the twin.
  DiagnosedLayer result() const;

private:
  /// What a spike in this step adds to the value of its neuron.
  double worth(uint32_t step) const;

  Population population;
  const LayerActivations &activations;
  const std::vector<double> &scale;
  bool codesTimes; // by the first spike
  int64_t steps, start = 0, window = 0, maxSpikes;
  size_t samples = 0;
  uint64_t spikeCount = 0, saturatedCount = 0;
  double errors = 0, squaredErrors = 0;
  std::vector<bool> spiked, active; // per neuron, for any sample
};

} // namespace spindle
