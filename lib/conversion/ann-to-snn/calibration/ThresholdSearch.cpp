#include "lib/conversion/ann-to-snn/calibration/ThresholdSearch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindle {

/// Neurons of a channel that one sample is judged by; the next sample looks at others.
constexpr size_t kNeuronsPerSample = 32;
constexpr size_t kCandidates = ThresholdCandidates::kCount;

static float at(const std::vector<float> &values, size_t channel) {
  return values.size() == 1 ? values[0] : values[channel];
}

/// Down to where most activations saturate; shifts up to half a spike over all steps.
ThresholdCandidates::ThresholdCandidates(int64_t steps) {
  for (size_t c = 0; c < kCount; ++c) {
    size_t candidate = std::min(c, kScales * kShifts - 1);
    float step = static_cast<float>(candidate % kShifts) - 4;
    scales[c] = 1.2f - 0.045f * static_cast<float>(candidate / kShifts);
    shifts[c] = scales[c] * step / (8.0f * static_cast<float>(steps));
  }
}

ThresholdSearch::ThresholdSearch(const LayerPlan &plan, const ConversionOptions &choices,
                                 size_t samples)
    : start(plan), options(choices), candidates(choices.steps) {
  channels = static_cast<size_t>(plan.shape[0]);
  perChannel = 1;
  for (size_t d = 1; d < plan.shape.size(); ++d)
    perChannel *= static_cast<size_t>(plan.shape[d]);
  stride = (perChannel + kNeuronsPerSample - 1) / kNeuronsPerSample;
  errors.assign(samples * channels * kCandidates, 0);
}

namespace {

/// The currents of a neuron in every step, in units of its scale, and what they are to make.
struct Neuron {
  std::vector<float> currents;
  float activation;
  float initialMembrane; // in thresholds
  bool subtracts;        // a spike subtracts the threshold, else the membrane becomes zero
};

/// Whether no candidate of `steps` steps spikes and none has to: there are no errors to add.
/// Membranes start at m thresholds, and by step k the shifts have added at most k / (2 steps) of
/// them, so that a spike takes currents of 1 − m − k / (2 steps) thresholds until then. Each step
/// rounds two sums, by at most 2⁻²⁴ of them.
bool isSilent(const Neuron &neuron, const ThresholdCandidates &candidates, int64_t steps) {
  if (neuron.activation != 0)
    return false;
  double sum = 0, highest = -std::numeric_limits<double>::infinity(), largest = 2;
  for (float current : neuron.currents) {
    sum += current;
    highest = std::max(highest, sum);
    largest = std::max(largest, std::abs(sum) + std::abs(double(current)));
  }
  double count = double(neuron.currents.size()), rounding = count * largest * 0x1p-21;
  double ahead = std::max(0.0, double(neuron.initialMembrane) + count / (2 * double(steps)) - 1);
  return highest < -ahead * double(candidates.scales.front()) - rounding;
}

/// Adds the squared errors of a neuron for all candidates.
#if defined(__x86_64__) && defined(__gnu_linux__)
__attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif
void addErrors(const Neuron &neuron, const ThresholdCandidates &candidates, float *sums) {
  const float *scales = candidates.scales.data(), *shifts = candidates.shifts.data();
  float v[kCandidates], spikes[kCandidates];
  for (size_t c = 0; c < kCandidates; ++c) {
    v[c] = neuron.initialMembrane * scales[c];
    spikes[c] = 0;
  }
  bool subtracts = neuron.subtracts;
  for (float current : neuron.currents)
    for (size_t c = 0; c < kCandidates; ++c) { // without a branch, so that candidates share vectors
      float before = v[c] + (current + shifts[c]);
      float spike = before >= scales[c] ? 1.0f : 0.0f;
      spikes[c] += spike;
      v[c] = before - spike * (subtracts ? scales[c] : before);
    }
  float perSpike = 1.0f / static_cast<float>(neuron.currents.size());
  for (size_t c = 0; c < kCandidates; ++c) {
    float error = spikes[c] * perSpike * scales[c] - neuron.activation;
    sums[c] += error * error;
  }
}

} // namespace

void ThresholdSearch::read(size_t sample, llvm::ArrayRef<float> currents,
                           const float *activations) {
  size_t neurons = channels * perChannel, steps = currents.size() / neurons;
  Neuron neuron{std::vector<float>(steps), 0, at(start.initialMembrane, 0),
                options.reset == ResetChoice::Subtract};
  float *row = errors.data() + sample * channels * kCandidates;
  for (size_t channel = 0; channel < channels; ++channel, row += kCandidates)
    for (size_t k = sample % stride; k < perChannel; k += stride) {
      size_t number = channel * perChannel + k;
      for (size_t step = 0; step < steps; ++step)
        neuron.currents[step] = currents[step * neurons + number];
      neuron.activation = activations[number] / at(start.scale, channel);
      if (!isSilent(neuron, candidates, options.steps))
        addErrors(neuron, candidates, row);
    }
}

LayerPlan ThresholdSearch::best() const {
  LayerPlan plan = start;
  plan.scale.resize(channels);
  plan.shift.assign(channels, 0);
  size_t samples = errors.size() / (channels * kCandidates);
  for (size_t channel = 0; channel < channels; ++channel) {
    std::vector<double> sums(kCandidates, 0);
    for (size_t sample = 0; sample < samples; ++sample)
      for (size_t c = 0; c < kCandidates; ++c)
        sums[c] += errors[(sample * channels + channel) * kCandidates + c];
    size_t least = 0;
    for (size_t c = 1; c < kCandidates; ++c)
      if (sums[c] < sums[least])
        least = c;
    float scale = at(start.scale, channel);
    plan.scale[channel] = scale;
    if (sums[least] == sums[0] && sums.front() == sums.back())
      continue; // nothing to tell them apart
    plan.scale[channel] = scale * candidates.scales[least];
    plan.shift[channel] = scale * candidates.shifts[least];
  }
  return plan;
}

} // namespace spindle
