// Networks on which the layers engine is compared with the interpreter.
#pragma once

#include "tests/emulation/NetworkBuilder.h"

#include <functional>
#include <ostream>
#include <vector>

namespace spindle::test {

struct LayersNetworkCase {
  const char *name;
  Shape input;
  std::function<void(NetworkBuilder &)> build;
};

inline void PrintTo(const LayersNetworkCase &each, std::ostream *os) { *os << each.name; }

/// Layers one after the other, and what joins them.
std::vector<LayersNetworkCase> feedForwardCases();
/// Convolutions and pooling.
std::vector<LayersNetworkCase> imageCases();
/// Populations whose spikes come back.
std::vector<LayersNetworkCase> recurrentCases();

/// Populations behind the last layer.
inline void fire(NetworkBuilder &n) { n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f}); }

inline void leak(NetworkBuilder &n, bool perNeuron) {
  auto size = perNeuron ? size_t(snn::sizeOf(n.last())) : 1;
  n.leaky(snn::Reset::Zero, randomFloats(n.random, size, 0.4f, 1),
          randomFloats(n.random, size, 2, 9), {2}, {0.1f}, {-0.2f}, {0});
}

inline ConvOptions padded(Shape padding, Shape dilations = {1, 1}) {
  return {{1, 1}, padding, dilations};
}

} // namespace spindle::test
