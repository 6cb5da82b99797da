// A plain float perceptron: the second opinion on what the data sets and weights are worth.
#pragma once

#include "core/network/Samples.h"
#include "core/support/formats/Npz.h"

#include <algorithm>

namespace spindle {

struct PerceptronLayer {
  size_t ins, outs;
  std::vector<float> weights; // in × out
  std::vector<float> bias;
};

/// Layers of weight and bias in turn, or of weights alone. Stored weights are out × in, or in × out
/// where the sizes say so.
inline std::vector<PerceptronLayer> perceptronLayers(const std::vector<NpzMember> &members,
                                                     size_t inputs) {
  std::vector<PerceptronLayer> layers;
  for (const NpzMember &member : members) {
    const std::vector<int64_t> &shape = member.array.shape;
    std::vector<float> values = member.array.floats();
    if (shape.size() == 1) {
      layers.back().bias = values;
      continue;
    }
    size_t ins = layers.empty() ? inputs : layers.back().outs, outs = values.size() / ins;
    PerceptronLayer layer{ins, outs, values, std::vector<float>(outs)};
    if (static_cast<size_t>(shape[1]) == ins)
      for (size_t i = 0; i < values.size(); ++i)
        layer.weights[i % ins * outs + i / ins] = values[i];
    layers.push_back(std::move(layer));
  }
  return layers;
}

/// Share of the samples whose class gets the highest score; ReLU between the layers.
inline double perceptronAccuracy(const Samples &samples, const std::vector<NpzMember> &members) {
  std::vector<PerceptronLayer> layers = perceptronLayers(members, samples.size());
  size_t right = 0;
  for (size_t s = 0; s < samples.count(); ++s) {
    std::vector<float> values(samples.sample(s), samples.sample(s) + samples.size());
    for (const PerceptronLayer &layer : layers) {
      std::vector<float> sums = layer.bias;
      for (size_t i = 0; i < layer.ins; ++i)
        if (float value = &layer == &layers.front() ? values[i] : std::max(values[i], 0.0f))
          for (size_t o = 0; o < layer.outs; ++o)
            sums[o] += layer.weights[i * layer.outs + o] * value;
      values = std::move(sums);
    }
    auto best = std::max_element(values.begin(), values.end()) - values.begin();
    right += static_cast<uint32_t>(best) == samples.labels[s];
  }
  return static_cast<double>(right) / static_cast<double>(samples.count());
}

} // namespace spindle
