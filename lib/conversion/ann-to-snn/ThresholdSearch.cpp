#include "lib/conversion/ann-to-snn/ThresholdSearch.h"

namespace spindle {

/// Neurons of a channel that one sample is judged by; the next sample looks at others.
constexpr size_t kNeuronsPerSample = 48;

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
  for (int k = 0; k <= 20; ++k) {
    float scale = 1.2f - 0.045f * static_cast<float>(k);
    for (int j = -4; j <= 4; ++j)
      candidates.push_back(
          {scale, scale * static_cast<float>(j) / (8.0f * static_cast<float>(options.steps))});
  }
  errors.assign(samples * channels * candidates.size(), 0);
}

float ThresholdSearch::squaredError(const Candidate &candidate, const std::vector<float> &input,
                                    float target) const {
  bool subtract = options.reset == ResetChoice::Subtract;
  float v = at(start.initialMembrane, 0) * candidate.scale;
  int spikes = 0;
  for (float current : input) {
    v += current + candidate.shift;
    bool spike = v >= candidate.scale;
    spikes += spike;
    float after = subtract ? v - candidate.scale : 0.0f;
    v = spike ? after : v;
  }
  float rate = static_cast<float>(spikes) / static_cast<float>(input.size());
  float error = rate * candidate.scale - target;
  return error * error;
}

void ThresholdSearch::read(size_t sample, llvm::ArrayRef<float> currents,
                           const float *activations) {
  size_t neurons = channels * perChannel, steps = currents.size() / neurons;
  std::vector<float> input(steps);
  float *row = errors.data() + sample * channels * candidates.size();
  for (size_t channel = 0; channel < channels; ++channel, row += candidates.size())
    for (size_t k = sample % stride; k < perChannel; k += stride) {
      size_t neuron = channel * perChannel + k;
      for (size_t step = 0; step < steps; ++step)
        input[step] = currents[step * neurons + neuron];
      float target = activations[neuron] / at(start.scale, channel);
      for (size_t c = 0; c < candidates.size(); ++c)
        row[c] += squaredError(candidates[c], input, target);
    }
}

LayerPlan ThresholdSearch::best() const {
  LayerPlan plan = start;
  plan.scale.resize(channels);
  plan.shift.assign(channels, 0);
  size_t samples = errors.size() / (channels * candidates.size());
  for (size_t channel = 0; channel < channels; ++channel) {
    std::vector<double> sums(candidates.size(), 0);
    for (size_t sample = 0; sample < samples; ++sample)
      for (size_t c = 0; c < candidates.size(); ++c)
        sums[c] += errors[(sample * channels + channel) * candidates.size() + c];
    size_t least = 0;
    for (size_t c = 1; c < candidates.size(); ++c)
      if (sums[c] < sums[least])
        least = c;
    float scale = at(start.scale, channel);
    plan.scale[channel] = scale;
    if (sums[least] == sums[0] && sums.front() == sums.back())
      continue; // nothing to tell them apart
    plan.scale[channel] = scale * candidates[least].scale;
    plan.shift[channel] = scale * candidates[least].shift;
  }
  return plan;
}

} // namespace spindle
