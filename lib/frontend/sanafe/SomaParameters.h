// Neurons of the dialect as neurons of SANA-FE. Private to this folder.
#pragma once

#include "lib/frontend/sanafe/NetworkTiming.h"

#include <cmath>
#include <optional>

namespace spindle::sanafe {

/// One neuron: in each step j ← j · inputDecay + Σ weight · gain, v ← v · leakDecay + bias + j,
/// then a spike where v > threshold, and v ← v - threshold (soft) or v ← reset. Membranes count
/// from the rest of ours, in units of 1 / scale.
struct SomaParameters {
  double threshold = 0, reset = 0, leakDecay = 1, inputDecay = 0, bias = 0, potential = 0, gain = 1;
  int64_t refractoryDelay = 0;
  bool isSoft = false;
  bool operator==(const SomaParameters &) const = default;

  /// The unit `truenorth` spikes where v ≥ threshold and keeps all digits of a membrane; the unit
  /// `leaky_integrate_fire` spikes where v > threshold and keeps 1/64, but knows all parameters.
  bool fitsExactUnit() const {
    return leakDecay == 1 && inputDecay == 0 && potential == 0 && refractoryDelay == 0;
  }
};

/// Those of neuron n of a population. `extent`: how far a membrane may be from its rest, from which
/// the scale follows; none for fixed point, whose scale is one. Errors name the operation.
llvm::Expected<SomaParameters> somaParameters(const TimedPopulation &population,
                                              const snn::NeuronModel &model, size_t n);

/// The power of two by which numbers are scaled so that a 64th of it is a small part of them, and
/// none leaves the 32 bits in which the unit keeps membranes.
double scaleFor(double extent);

/// All numbers of a neuron in units of 1 / scale.
SomaParameters scaled(SomaParameters soma, double scale);

} // namespace spindle::sanafe
