// From activations to spikes and back.
#pragma once

#include "core/network/Samples.h"
#include "core/support/CounterRandom.h"
#include "lib/emulation/interpreter/Tensor.h"

#include <cmath>
#include <optional>

namespace spindle::interpreter {

/// The uniform number in [0, 1) that decides on the spike of one neuron, counted through all
/// populations, in one step of one sample. Four steps share a counter.
inline float poissonUniform(uint64_t seed, uint64_t sample, uint32_t step, uint32_t neuron) {
  PhiloxCounter counter{neuron, step / 4, uint32_t(sample), uint32_t(sample >> 32)};
  return uniformFloat(philox(counter, {uint32_t(seed), uint32_t(seed >> 32)})[step % 4]);
}

/// A spike with probability x / maximum, clipped to [0, 1]; `first` is the number of the first
/// neuron.
template <typename Scalar>
Tensor<Scalar> encodePoisson(const Tensor<Scalar> &x, float maximum, uint64_t seed, uint64_t sample,
                             uint32_t step, uint32_t first = 0) {
  Tensor<Scalar> spikes(x.shape);
  for (size_t n = 0; n < x.values.size(); ++n)
    spikes.values[n] = poissonUniform(seed, sample, step, first + static_cast<uint32_t>(n)) <
                       x.values[n] / Scalar(maximum);
  return spikes;
}

/// x / maximum, clipped to [0, 1]; not-a-number becomes zero.
template <typename Scalar> Scalar share(Scalar x, float maximum) {
  Scalar p = x / Scalar(maximum);
  p = p > 0 ? p : 0;
  return p < 1 ? p : 1;
}

/// A spike where floor((t + 1)·p) exceeds floor(t·p), with p the share of the maximum.
template <typename Scalar>
Tensor<Scalar> encodeRegular(const Tensor<Scalar> &x, float maximum, uint32_t step) {
  Tensor<Scalar> spikes(x.shape);
  for (size_t n = 0; n < x.values.size(); ++n) {
    Scalar p = share(x.values[n], maximum);
    spikes.values[n] = std::floor(Scalar(step + 1) * p) > std::floor(Scalar(step) * p);
  }
  return spikes;
}

/// x, clipped to [0, maximum]: integers.
template <typename Scalar> Scalar level(Scalar x, float maximum) {
  return x > 0 ? (x < Scalar(maximum) ? x : Scalar(maximum)) : Scalar(0);
}

/// A spike where floor((t + 1)·q / maximum) exceeds floor(t·q / maximum), of integers; t counts
/// modulo the maximum, after which spikes repeat.
template <typename Scalar>
Tensor<Scalar> encodeRegularIntegers(const Tensor<Scalar> &x, float maximum, uint32_t step) {
  Tensor<Scalar> spikes(x.shape);
  auto period = int64_t(maximum), t = int64_t(step) % period;
  for (size_t n = 0; n < x.values.size(); ++n) {
    auto q = int64_t(level(x.values[n], maximum));
    spikes.values[n] = (t + 1) * q / period > t * q / period;
  }
  return spikes;
}

/// One spike, floor((2·q·window + maximum) / (2·maximum)) steps before the window ends.
template <typename Scalar>
Tensor<Scalar> encodeLatencyIntegers(const Tensor<Scalar> &x, float maximum, uint32_t window,
                                     uint32_t step) {
  Tensor<Scalar> spikes(x.shape);
  auto most = int64_t(maximum);
  for (size_t n = 0; n < x.values.size(); ++n) {
    auto q = int64_t(level(x.values[n], maximum));
    int64_t before = (2 * q * int64_t(window) + most) / (2 * most);
    spikes.values[n] = step < window && before == int64_t(window - step);
  }
  return spikes;
}

/// One spike, floor(p · window + 1/2) steps before the window ends; none where that is zero.
template <typename Scalar>
Tensor<Scalar> encodeLatency(const Tensor<Scalar> &x, float maximum, uint32_t window,
                             uint32_t step) {
  Tensor<Scalar> spikes(x.shape);
  for (size_t n = 0; n < x.values.size(); ++n) {
    Scalar before = std::floor(share(x.values[n], maximum) * Scalar(window) + Scalar(0.5));
    spikes.values[n] = step < window && before == Scalar(window - step);
  }
  return spikes;
}

/// As many spikes as events are listed for an element and this step, added to a signal of zeros.
template <typename Scalar>
Tensor<Scalar> encodeEvents(Tensor<Scalar> spikes, const std::vector<InputEvent> &events,
                            uint32_t step) {
  for (const InputEvent &event : events)
    if (event.step == step)
      spikes.values[event.element] += 1;
  return spikes;
}

/// floor(x / unit + 1/2), clipped to [low, high].
template <typename Scalar>
Tensor<Scalar> quantize(const Tensor<Scalar> &x, float unit, float low, float high) {
  Tensor<Scalar> y(x.shape);
  for (size_t n = 0; n < x.values.size(); ++n) {
    Scalar q = std::floor(x.values[n] / Scalar(unit) + Scalar(0.5));
    q = q > Scalar(low) ? q : Scalar(low);
    y.values[n] = q < Scalar(high) ? q : Scalar(high);
  }
  return y;
}

/// Constant current: the activation itself in every step.
template <typename Scalar> Tensor<Scalar> encodeDirect(const Tensor<Scalar> &x) { return x; }

/// The number of spikes so far, at most `maximum`. `counts` are those before this step and are
/// brought up to date.
template <typename Scalar>
Tensor<Scalar> decodeCount(const Tensor<Scalar> &spikes, std::optional<uint64_t> maximum,
                           std::vector<Scalar> &counts) {
  for (size_t n = 0; n < counts.size(); ++n) {
    counts[n] += spikes.values[n];
    if (maximum && counts[n] > Scalar(*maximum))
      counts[n] = Scalar(*maximum);
  }
  return Tensor<Scalar>(spikes.shape, counts);
}

/// The number of steps since the first spike, that one included; zero before. `elapsed` is that of
/// the step before and is brought up to date.
template <typename Scalar>
Tensor<Scalar> decodeFirstSpike(const Tensor<Scalar> &spikes, std::vector<Scalar> &elapsed) {
  for (size_t n = 0; n < elapsed.size(); ++n)
    if (elapsed[n] > 0 || spikes.values[n] > 0)
      elapsed[n] += 1;
  return Tensor<Scalar>(spikes.shape, elapsed);
}

/// x of `steps` steps ago, zero before the first one. `history` holds x of all steps, this one
/// last.
template <typename Scalar>
Tensor<Scalar> delay(const std::vector<Tensor<Scalar>> &history,
                     const std::vector<int64_t> &steps) {
  Tensor<Scalar> y(history.back().shape);
  size_t elements = y.values.size();
  for (size_t n = 0; n < elements; ++n) {
    auto ago = static_cast<size_t>(steps[n / (elements / steps.size())]);
    if (ago < history.size())
      y.values[n] = history[history.size() - 1 - ago].values[n];
  }
  return y;
}

/// The membranes now.
template <typename Scalar> Tensor<Scalar> decodeMembrane(const Tensor<Scalar> &membranes) {
  return membranes;
}

} // namespace spindle::interpreter
