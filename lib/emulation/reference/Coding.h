// From activations to spikes and back.
#pragma once

#include "lib/emulation/reference/Tensor.h"
#include "lib/support/CounterRandom.h"

namespace spindle::reference {

/// The uniform number in [0, 1) that decides on the spike of one element in one step of one sample.
inline float poissonUniform(uint64_t seed, uint64_t sample, uint32_t step, uint32_t element) {
  PhiloxCounter counter{element, step, uint32_t(sample), uint32_t(sample >> 32)};
  return uniformFloat(philox(counter, {uint32_t(seed), uint32_t(seed >> 32)})[0]);
}

/// A spike with probability x / maximum, clipped to [0, 1].
template <typename Scalar>
Tensor<Scalar> encodePoisson(const Tensor<Scalar> &x, float maximum, uint64_t seed, uint64_t sample,
                             uint32_t step) {
  Tensor<Scalar> spikes(x.shape);
  for (size_t n = 0; n < x.values.size(); ++n)
    spikes.values[n] = poissonUniform(seed, sample, step, static_cast<uint32_t>(n)) <
                       x.values[n] / Scalar(maximum);
  return spikes;
}

/// Constant current: the activation itself in every step.
template <typename Scalar> Tensor<Scalar> encodeDirect(const Tensor<Scalar> &x) { return x; }

/// The number of spikes so far. `counts` are those before this step and are brought up to date.
template <typename Scalar>
Tensor<Scalar> decodeCount(const Tensor<Scalar> &spikes, std::vector<Scalar> &counts) {
  for (size_t n = 0; n < counts.size(); ++n)
    counts[n] += spikes.values[n];
  return Tensor<Scalar>(spikes.shape, counts);
}

/// The membranes now.
template <typename Scalar> Tensor<Scalar> decodeMembrane(const Tensor<Scalar> &membranes) {
  return membranes;
}

} // namespace spindle::reference
