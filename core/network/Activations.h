// What the rectifiers of an ANN output on a calibration set; conversion reads its scales off it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

struct LayerActivations {
  std::string layer;
  std::vector<int64_t> shape; // of one sample
  std::vector<float> values;  // samples × size, sample-major
};

struct Activations {
  std::vector<LayerActivations> layers; // in order of the network
  size_t samples = 0;
  float inputMaximum = 0; // largest input value seen
};

} // namespace spindle
