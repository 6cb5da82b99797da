#include "dialects/snn/LinearMap.h"

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
  // Scatter each row into a dense accumulator, then gather it in ascending order.
  std::vector<double> sum(first.inputs, 0);
  std::vector<uint8_t> touched(first.inputs, 0);
  for (uint32_t o = 0; o < second.outputs; ++o) {
    double bias = second.bias[o];
    for (uint64_t k = second.offsets[o]; k < second.offsets[o + 1]; ++k) {
      uint32_t middle = second.indices[k];
      double weight = second.weights[k];
      bias += weight * first.bias[middle];
      for (uint64_t j = first.offsets[middle]; j < first.offsets[middle + 1]; ++j) {
        sum[first.indices[j]] += weight * first.weights[j];
        touched[first.indices[j]] = 1;
      }
    }
    for (uint32_t i = 0; i < first.inputs; ++i) {
      if (!touched[i])
        continue;
      builder.connect(i, static_cast<float>(sum[i]));
      sum[i] = 0;
      touched[i] = 0;
    }
    builder.endOutput(static_cast<float>(bias));
  }
  return builder.take();
}

} // namespace spindle::snn
