// Parameters of one neuron of the neuron level; the noun that interpreter and engine share.
#pragma once

#include <cstdint>
#include <optional>

namespace spindle::snn {

/// What `snn.neuron` says, attributes of the module filled in. Times in ms.
struct SingleNeuron {
  /// The last number of steps that f32 can count.
  static constexpr int64_t kMostSteps = int64_t(1) << 24;

  float decay = 0, threshold = 1, rest = 0; // k in 1/ms, vth, vrest
  bool resetBySubtraction = false;
  float reset = 0; // the membrane after a spike, unless by subtraction
  float initial = 0;
  float refractory = 0;
  int64_t maxSpikes = 1;      // at one instant or in one step
  std::optional<float> until; // continuous time: end of the run
  std::optional<float> step;  // present: clocked
  std::optional<int64_t> steps;
  float resistance = 1; // clocked

  bool operator==(const SingleNeuron &) const = default;
};

} // namespace spindle::snn
