// One step of a population: membranes are changed in place, the result is the spikes as 0 or 1.
#pragma once

#include "dialects/snn/NeuronModel.h"
#include "lib/emulation/reference/Tensor.h"

namespace spindle::reference {

/// Threshold and reset of neuron n, common to all spiking models. True for a spike.
template <typename Scalar> bool fire(const snn::NeuronModel &model, size_t n, Scalar &membrane) {
  Scalar threshold = snn::valueAt(model.threshold, n);
  if (!(membrane >= threshold))
    return false;
  membrane = model.resetBySubtraction ? membrane - threshold : Scalar(snn::valueAt(model.reset, n));
  return true;
}

/// v ← v + i, then threshold and reset.
template <typename Scalar>
Tensor<Scalar> ifStep(const snn::NeuronModel &model, const Tensor<Scalar> &current,
                      std::vector<Scalar> &membranes) {
  Tensor<Scalar> spikes(current.shape);
  for (size_t n = 0; n < membranes.size(); ++n) {
    membranes[n] += current.values[n];
    spikes.values[n] = fire(model, n, membranes[n]);
  }
  return spikes;
}

/// v ← v + ((leak − v) + r·i) · rate, then threshold and reset.
template <typename Scalar>
Tensor<Scalar> lifStep(const snn::NeuronModel &model, const Tensor<Scalar> &current,
                       std::vector<Scalar> &membranes) {
  Tensor<Scalar> spikes(current.shape);
  for (size_t n = 0; n < membranes.size(); ++n) {
    Scalar drive = Scalar(snn::valueAt(model.resistance, n)) * current.values[n];
    Scalar decay = Scalar(snn::valueAt(model.leak, n)) - membranes[n];
    membranes[n] += (decay + drive) * Scalar(snn::valueAt(model.rate, n));
    spikes.values[n] = fire(model, n, membranes[n]);
  }
  return spikes;
}

/// v ← v + i; the result is the membranes.
template <typename Scalar>
Tensor<Scalar> integratorStep(const Tensor<Scalar> &current, std::vector<Scalar> &membranes) {
  for (size_t n = 0; n < membranes.size(); ++n)
    membranes[n] += current.values[n];
  return Tensor<Scalar>(current.shape, membranes);
}

} // namespace spindle::reference
