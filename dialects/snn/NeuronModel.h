// Equations and parameters of a population; the noun that interpreter, engine and hardware share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spindle::snn {

enum class NeuronKind {
  IntegrateAndFire,
  LeakyIntegrateAndFire,
  FixedLeakyIntegrateAndFire,
  FixedCubaLeakyIntegrateAndFire,
  FixedLeakyIntegrator,
  CubaLeakyIntegrateAndFire,
  DualCubaLeakyIntegrateAndFire,
  CobaLeakyIntegrateAndFire,
  FirstSpike,
  Integrator,
  LeakyIntegrator,
  CubaLeakyIntegrator,
  Rectifier,
};

/// A receptor whose state g decays: g ← g − g·rate per step, and adds g·coupling to the membrane
/// (or g·(reversal − v) to what the membrane follows, for conductances).
struct Receptor {
  std::vector<float> rate, coupling, reversal;
};

/// v ← saturate(truncate(v · kept / scale) + i · weight), all integers; v lies within −most − 1 and
/// most.
struct FixedPoint {
  int64_t kept = 1, scale = 1, weight = 1, most = 0;
};

/// The coefficients of one step; times have become rates, so that everybody computes with the same
/// numbers. The equations are those of the operations (NeuronOps.td). Every parameter has one value
/// per neuron or one for all; those that the kind does not use are empty.
struct NeuronModel {
  NeuronKind kind = NeuronKind::IntegrateAndFire;

  // Spiking.
  bool resetBySubtraction = true;
  std::vector<float> threshold, reset, initial;
  std::vector<int64_t> refractory; // steps
  int64_t maxSpikes = 1;           // per step

  // Membrane: v ← v + r·i (I, IF, rectifier) or v ← v + ((leak − v) + r·i)·rate.
  std::vector<float> resistance, rate, leak;
  /// Crossings of the threshold are sought within the step; needs tau (in steps) of leaky neurons.
  bool exactCrossing = false;
  std::vector<float> tau;
  /// The current of an input stays on: j ← j + i, v ← v + r·j.
  bool sustained = false;

  FixedPoint fixedPoint;   // of the fixed-point kinds; CUBA: its current is j
  FixedPoint fixedSynapse; // of fixed-point CUBA, of j

  // Synaptic current of CUBA: j follows s = gain·i.
  bool exactSynapse = false; // which of the two forms in snn.cuba_lif
  std::vector<float> synapseRate, synapseGain, synapseCoupling;
  Receptor excitatory, inhibitory; // of the two-receptor kinds

  // Rectifier: what its results add up to grows by at most this per step; empty: no limit.
  std::vector<float> maximum;

  // First spike.
  int64_t start = 0, window = 0; // steps

  bool isFixedPoint() const { return fixedPoint.most > 0; }

  bool spikes() const {
    return kind != NeuronKind::Integrator && kind != NeuronKind::LeakyIntegrator &&
           kind != NeuronKind::CubaLeakyIntegrator && kind != NeuronKind::FixedLeakyIntegrator &&
           kind != NeuronKind::Rectifier;
  }

  /// Whether the membranes are the result; else spikes are, or what rectifiers output.
  bool outputsMembranes() const { return !spikes() && kind != NeuronKind::Rectifier; }
};

/// The value for neuron n of a parameter of one value or one per neuron.
template <typename T> T valueAt(const std::vector<T> &parameter, size_t n) {
  return parameter.size() == 1 ? parameter[0] : parameter[n];
}

} // namespace spindle::snn
