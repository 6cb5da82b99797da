#include "dialects/snn/synapses/LinearMap.h"

#include <algorithm>

namespace spindle::snn {

LinearMapBuilder::LinearMapBuilder(int64_t inputs, int64_t outputs) {
  map.inputs = static_cast<uint32_t>(inputs);
  map.outputs = static_cast<uint32_t>(outputs);
  map.offsets.reserve(outputs + 1);
  map.offsets.push_back(0);
  map.bias.reserve(outputs);
}

LinearMap compose(const LinearMap &first, const LinearMap &second) {
  LinearMapBuilder builder(first.inputs, second.outputs);
  // Scatter each row into a dense accumulator, then gather what it touched in ascending order.
  std::vector<double> sum(first.inputs, 0);
  std::vector<uint8_t> isTouched(first.inputs, 0);
  std::vector<uint32_t> touched;
  for (uint32_t o = 0; o < second.outputs; ++o) {
    double bias = second.bias[o];
    for (uint64_t k = second.offsets[o]; k < second.offsets[o + 1]; ++k) {
      uint32_t middle = second.indices[k];
      double weight = second.weights[k];
      bias += weight * first.bias[middle];
      for (uint64_t j = first.offsets[middle]; j < first.offsets[middle + 1]; ++j) {
        uint32_t input = first.indices[j];
        sum[input] += weight * first.weights[j];
        if (!isTouched[input])
          touched.push_back(input);
        isTouched[input] = 1;
      }
    }
    std::sort(touched.begin(), touched.end());
    for (uint32_t input : touched) {
      builder.connect(input, static_cast<float>(sum[input]));
      sum[input] = 0;
      isTouched[input] = 0;
    }
    touched.clear();
    builder.endOutput(static_cast<float>(bias));
  }
  return builder.take();
}

} // namespace spindle::snn
