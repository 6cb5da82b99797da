// Labelled inputs of a network, ready to be fed: resized, scaled, normalised, padded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spindle {

/// Images are channel, row, column; vectors have one dimension.
struct Samples {
  std::vector<int64_t> shape;   // of one sample
  std::vector<float> values;    // count() × size(), sample-major
  std::vector<uint32_t> labels; // one class index per sample

  size_t count() const { return labels.size(); }
  size_t size() const {
    size_t product = 1;
    for (int64_t extent : shape)
      product *= static_cast<size_t>(extent);
    return product;
  }
  const float *sample(size_t index) const { return values.data() + index * size(); }

  bool operator==(const Samples &) const = default;
};

} // namespace spindle
