// A linear operator as compressed rows; what every synapse operation can say of itself.
#pragma once

#include <cstdint>
#include <vector>

namespace spindle::snn {

/// y(o) = Σ weights(k) · x(indices(k)) over k in [offsets(o), offsets(o + 1)), indices ascending, +
/// bias(o).
struct LinearMap {
  uint32_t inputs = 0, outputs = 0;
  std::vector<uint64_t> offsets; // outputs + 1
  std::vector<uint32_t> indices;
  std::vector<float> weights;
  std::vector<float> bias; // outputs
};

/// Collects a LinearMap output by output.
class LinearMapBuilder {
public:
  LinearMapBuilder(int64_t inputs, int64_t outputs);
  void connect(int64_t input, float weight) {
    map.indices.push_back(static_cast<uint32_t>(input));
    map.weights.push_back(weight);
  }
  void endOutput(float bias = 0) {
    map.offsets.push_back(map.indices.size());
    map.bias.push_back(bias);
  }
  LinearMap take() { return std::move(map); }

private:
  LinearMap map;
};

/// second ∘ first. Weights that meet are added in double, then rounded; weights that become zero
/// stay, they are synapses still.
LinearMap compose(const LinearMap &first, const LinearMap &second);

} // namespace spindle::snn
