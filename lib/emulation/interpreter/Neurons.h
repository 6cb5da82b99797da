// One step of a population: its state is changed in place, the result is the spikes of each neuron,
// or the membranes of those that do not spike. Equations as in dialects/snn/NeuronOps.td.
#pragma once

#include "dialects/snn/NeuronModel.h"
#include "lib/emulation/interpreter/Crossing.h"
#include "lib/emulation/interpreter/Tensor.h"

#include <algorithm>

namespace spindle::interpreter {

/// What neurons remember: membranes, synaptic states (the sustained or synaptic current, or those
/// of both receptors) and the steps that they are still refractory.
template <typename Scalar> struct NeuronState {
  std::vector<Scalar> membranes, first, second;
  std::vector<int64_t> refractory;

  NeuronState() = default;
  NeuronState(const snn::NeuronModel &model, size_t neurons)
      : membranes(neurons), first(neurons, 0), second(neurons, 0), refractory(neurons, 0) {
    for (size_t n = 0; n < neurons; ++n)
      membranes[n] = snn::valueAt(model.initial, n);
  }
};

/// The parameters of one neuron as scalars.
template <typename Scalar> struct Parameters {
  const snn::NeuronModel &model;
  size_t neuron;
  Scalar operator()(const std::vector<float> &parameter) const {
    return Scalar(snn::valueAt(parameter, neuron));
  }
};

/// v + r·i, or v + r·j where the current stays on: j ← j + i.
template <typename Scalar>
Scalar integrate(const Parameters<Scalar> &of, Scalar v, Scalar i, Scalar &j) {
  if (of.model.sustained)
    i = j += i;
  return v + of(of.model.resistance) * i;
}

/// v + ((leak − v) + r·i)·rate.
template <typename Scalar> Scalar leak(const Parameters<Scalar> &of, Scalar v, Scalar i) {
  Scalar drive = of(of.model.resistance) * i;
  return v + ((of(of.model.leak) - v) + drive) * of(of.model.rate);
}

/// Integers, which both scalars hold exactly.
template <typename Scalar> Scalar leakInFixedPoint(const snn::FixedPoint &of, Scalar v, Scalar i) {
  int64_t next = int64_t(v) * of.kept / of.scale + int64_t(i) * of.weight;
  return Scalar(std::clamp(next, -of.most - 1, of.most));
}

/// The membrane follows the synaptic current j, which follows s = gain·i.
template <typename Scalar>
Scalar leakWithSynapse(const Parameters<Scalar> &of, Scalar v, Scalar i, Scalar &j) {
  const snn::NeuronModel &model = of.model;
  Scalar s = of(model.synapseGain) * i, before = j;
  j += (s - j) * of(model.synapseRate);
  if (!model.exactSynapse)
    return leak(of, v, j);
  Scalar excess = of(model.resistance) * (before - s);
  return leak(of, v, s) + excess * of(model.synapseCoupling);
}

/// Two receptors, of current or of conductance, which decay after the membrane has taken them up.
template <typename Scalar>
Scalar leakWithReceptors(const Parameters<Scalar> &of, Scalar v, Scalar &excitatory,
                         Scalar &inhibitory) {
  const snn::NeuronModel &model = of.model;
  Scalar rest = of(model.leak) - v, next;
  if (model.kind == snn::NeuronKind::CobaLeakyIntegrateAndFire) {
    Scalar up = excitatory * (of(model.excitatory.reversal) - v);
    Scalar down = inhibitory * (of(model.inhibitory.reversal) - v);
    next = v + ((rest + up) + down) * of(model.rate);
  } else {
    Scalar taken =
        excitatory * of(model.excitatory.coupling) + inhibitory * of(model.inhibitory.coupling);
    next = (v + rest * of(model.rate)) + taken;
  }
  excitatory -= excitatory * of(model.excitatory.rate);
  inhibitory -= inhibitory * of(model.inhibitory.rate);
  return next;
}

/// The membrane of neuron n after the step, were there no threshold and no refractory period.
template <typename Scalar>
Scalar membraneAfter(const snn::NeuronModel &model, size_t n,
                     const std::vector<const Tensor<Scalar> *> &currents,
                     NeuronState<Scalar> &state) {
  Parameters<Scalar> of{model, n};
  Scalar v = state.membranes[n], i = currents.front()->values[n];
  switch (model.kind) {
  case snn::NeuronKind::IntegrateAndFire:
  case snn::NeuronKind::Integrator:
    return integrate(of, v, i, state.first[n]);
  case snn::NeuronKind::LeakyIntegrateAndFire:
  case snn::NeuronKind::LeakyIntegrator:
    return leak(of, v, i);
  case snn::NeuronKind::FixedLeakyIntegrateAndFire:
  case snn::NeuronKind::FixedLeakyIntegrator:
    return leakInFixedPoint(model.fixedPoint, v, i);
  case snn::NeuronKind::FixedCubaLeakyIntegrateAndFire:
    state.first[n] = leakInFixedPoint(model.fixedSynapse, state.first[n], i);
    return leakInFixedPoint(model.fixedPoint, v, state.first[n]);
  case snn::NeuronKind::CubaLeakyIntegrateAndFire:
  case snn::NeuronKind::CubaLeakyIntegrator:
    return leakWithSynapse(of, v, i, state.first[n]);
  case snn::NeuronKind::DualCubaLeakyIntegrateAndFire:
  case snn::NeuronKind::CobaLeakyIntegrateAndFire:
    state.first[n] += i;
    state.second[n] += currents.back()->values[n];
    return leakWithReceptors(of, v, state.first[n], state.second[n]);
  case snn::NeuronKind::FirstSpike: // firstSpikeStep
  case snn::NeuronKind::Rectifier:  // rectifierStep
    break;
  }
  return v;
}

/// Threshold and reset, common to all spiking models: as many spikes as thresholds are reached, up
/// to maxSpikes.
template <typename Scalar> int64_t fire(const snn::NeuronModel &model, size_t n, Scalar &membrane) {
  Scalar threshold = snn::valueAt(model.threshold, n);
  int64_t spikes = 0;
  while (spikes < model.maxSpikes && membrane >= threshold) {
    membrane =
        model.resetBySubtraction ? membrane - threshold : Scalar(snn::valueAt(model.reset, n));
    ++spikes;
  }
  return spikes;
}

/// One step of any population but those of first spikes and of rectifiers.
template <typename Scalar>
Tensor<Scalar> neuronStep(const snn::NeuronModel &model,
                          const std::vector<const Tensor<Scalar> *> &currents,
                          NeuronState<Scalar> &state) {
  Tensor<Scalar> spikes(currents.front()->shape);
  for (size_t n = 0; n < state.membranes.size(); ++n) {
    Scalar after = membraneAfter(model, n, currents, state); // synaptic states run on
    if (state.refractory[n] > 0) {
      --state.refractory[n];
      continue;
    }
    int64_t count = 0;
    if (model.exactCrossing) {
      Scalar i = currents.front()->values[n];
      count = crossingStep(model, n, i, after, state.membranes[n]);
    } else {
      state.membranes[n] = after;
      if (model.spikes())
        count = fire(model, n, state.membranes[n]);
    }
    spikes.values[n] = Scalar(count);
    if (count > 0)
      state.refractory[n] = snn::valueAt(model.refractory, n);
  }
  return model.spikes() ? spikes : Tensor<Scalar>(spikes.shape, state.membranes);
}

/// Gathers sustained currents until `start`, then rises by one per step through the window; one
/// spike where the threshold is met for the first time. A neuron that spiked stays refractory.
template <typename Scalar>
Tensor<Scalar> firstSpikeStep(const snn::NeuronModel &model, int64_t step,
                              const Tensor<Scalar> &current, NeuronState<Scalar> &state) {
  Tensor<Scalar> spikes(current.shape);
  if (step >= model.start + model.window)
    return spikes;
  for (size_t n = 0; n < state.membranes.size(); ++n) {
    Scalar &v = state.membranes[n];
    if (step < model.start) {
      v += state.first[n] += current.values[n];
      continue;
    }
    v += 1;
    bool spike = v >= Scalar(snn::valueAt(model.threshold, n)) && state.refractory[n] == 0;
    state.refractory[n] += spike;
    spikes.values[n] = spike;
  }
  return spikes;
}

/// The rectified sum of the inputs, at most `second`, less what was output of it before (`first`).
template <typename Scalar>
Tensor<Scalar> rectifierStep(const snn::NeuronModel &model, const Tensor<Scalar> &current,
                             NeuronState<Scalar> &state) {
  Tensor<Scalar> y(current.shape);
  for (size_t n = 0; n < state.membranes.size(); ++n) {
    Scalar &v = state.membranes[n];
    v += Scalar(snn::valueAt(model.resistance, n)) * current.values[n];
    Scalar rectified = v > 0 ? v : Scalar(0);
    if (!model.maximum.empty()) {
      Scalar most = state.second[n] += Scalar(snn::valueAt(model.maximum, n));
      rectified = rectified < most ? rectified : most;
    }
    y.values[n] = rectified - state.first[n];
    state.first[n] = rectified;
  }
  return y;
}

} // namespace spindle::interpreter
