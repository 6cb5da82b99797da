// Equations and parameters of a population; the noun that interpreter, engine and hardware share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spindle::snn {

enum class NeuronKind { IntegrateAndFire, LeakyIntegrateAndFire, Integrator };

/// One step: v ← v + i (IntegrateAndFire, Integrator) or v ← v + ((leak − v) + r·i)·rate (Leaky…),
/// then, unless Integrator, a spike if v ≥ threshold with v ← v − threshold or v ← reset. Every
/// parameter has one value per neuron or one for all.
struct NeuronModel {
  NeuronKind kind = NeuronKind::IntegrateAndFire;
  bool resetBySubtraction = true;
  std::vector<float> threshold, reset, initial;
  std::vector<float> rate, resistance, leak; // rate = 1 / tau, tau in steps

  bool spikes() const { return kind != NeuronKind::Integrator; }
};

/// The value for neuron n of a parameter of one value or one per neuron.
inline float valueAt(const std::vector<float> &parameter, size_t n) {
  return parameter.size() == 1 ? parameter[0] : parameter[n];
}

} // namespace spindle::snn
