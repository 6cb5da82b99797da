#include "lib/conversion/ann-to-snn/Normalization.h"

#include <algorithm>
#include <cmath>

namespace spindle {

float percentileOf(std::vector<float> &values, double percentile) {
  if (values.empty())
    return 0;
  double rank = percentile / 100 * static_cast<double>(values.size() - 1);
  auto lower = values.begin() + static_cast<ptrdiff_t>(std::floor(rank));
  std::nth_element(values.begin(), lower, values.end());
  double fraction = rank - std::floor(rank);
  if (fraction == 0)
    return *lower;
  float upper = *std::min_element(lower + 1, values.end());
  return static_cast<float>(*lower + fraction * (double(upper) - *lower));
}

/// The positive activations of elements [first, first + count) over all samples.
static std::vector<float> positives(const LayerActivations &layer, size_t size, size_t first,
                                    size_t count) {
  std::vector<float> result;
  for (size_t at = first; at < layer.values.size(); at += size)
    for (size_t k = 0; k < count; ++k)
      if (layer.values[at + k] > 0)
        result.push_back(layer.values[at + k]);
  return result;
}

std::vector<float> activationScales(const LayerActivations &layer, const ConversionOptions &options,
                                    bool perChannel) {
  size_t size = 1;
  for (int64_t extent : layer.shape)
    size *= static_cast<size_t>(extent);
  double percentile = options.method == ConversionMethod::Maximum ? 100.0 : options.percentile;

  std::vector<float> all = positives(layer, size, 0, size);
  float whole = percentileOf(all, percentile);
  if (!(whole > 0))
    whole = 1;
  if (!perChannel)
    return {whole};

  size_t channels = static_cast<size_t>(layer.shape[0]), block = size / channels;
  std::vector<float> scales;
  for (size_t channel = 0; channel < channels; ++channel) {
    std::vector<float> values = positives(layer, size, channel * block, block);
    float scale = percentileOf(values, percentile);
    scales.push_back(scale > 0 ? scale : whole);
  }
  return scales;
}

} // namespace spindle
