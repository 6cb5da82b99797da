#include "lib/conversion/ann-to-snn/ThresholdSearch.h"

#include <algorithm>

namespace spindle {

/// Neurons of a channel that one sample is judged by; the next sample looks at others.
constexpr size_t kNeuronsPerSample = 32;

static float at(const std::vector<float> &values, size_t channel) {
  return values.size() == 1 ? values[0] : values[channel];
}

ThresholdSearch::ThresholdSearch(const LayerPlan &plan, const ConversionOptions &choices,
                                 size_t samples)
    : start(plan), options(choices) {
  channels = static_cast<size_t>(plan.shape[0]);
  perChannel = 1;
  for (size_t d = 1; d < plan.shape.size(); ++d)
    perChannel *= static_cast<size_t>(plan.shape[d]);
  stride = (perChannel + kNeuronsPerSample - 1) / kNeuronsPerSample;
  // Down to where most activations saturate; shifts up to half a spike over all steps.
  for (size_t c = 0; c < kCandidates; ++c) {
    size_t candidate = std::min(c, kScales * kShifts - 1);
    float step = static_cast<float>(candidate % kShifts) - 4;
    scales[c] = 1.2f - 0.045f * static_cast<float>(candidate / kShifts);
    shifts[c] = scales[c] * step / (8.0f * static_cast<float>(options.steps));
  }
  errors.assign(samples * channels * kCandidates, 0);
}

void ThresholdSearch::addErrors(const std::vector<float> &input, float target, float *sums) const {
  Row v, spikes;
  for (size_t c = 0; c < kCandidates; ++c) {
    v[c] = at(start.initialMembrane, 0) * scales[c];
    spikes[c] = 0;
  }
  bool subtracts = options.reset == ResetChoice::Subtract;
  for (float current : input)
    for (size_t c = 0; c < kCandidates; ++c) { // without a branch, so that candidates share vectors
      float before = v[c] + (current + shifts[c]);
      float spike = before >= scales[c] ? 1.0f : 0.0f;
      spikes[c] += spike;
      v[c] = before - spike * (subtracts ? scales[c] : before);
    }
  float perSpike = 1.0f / static_cast<float>(input.size());
  for (size_t c = 0; c < kCandidates; ++c) {
    float error = spikes[c] * perSpike * scales[c] - target;
    sums[c] += error * error;
  }
}

void ThresholdSearch::read(size_t sample, llvm::ArrayRef<float> currents,
                           const float *activations) {
  size_t neurons = channels * perChannel, steps = currents.size() / neurons;
  std::vector<float> input(steps);
  float *row = errors.data() + sample * channels * kCandidates;
  for (size_t channel = 0; channel < channels; ++channel, row += kCandidates)
    for (size_t k = sample % stride; k < perChannel; k += stride) {
      size_t neuron = channel * perChannel + k;
      for (size_t step = 0; step < steps; ++step)
        input[step] = currents[step * neurons + neuron];
      float target = activations[neuron] / at(start.scale, channel);
      addErrors(input, target, row);
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
    plan.scale[channel] = scale * scales[least];
    plan.shift[channel] = scale * shifts[least];
  }
  return plan;
}

} // namespace spindle
