// Neurons of a network, numbered through population after population, and their spikes.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

using NeuronId = uint32_t;

/// What emits the spikes of a population.
enum class PopulationKind {
  Input,  // the host: encoded input values; needs no column of a crossbar
  Neuron, // neurons with a membrane on the chip
};

struct Population {
  std::string name; // the layer's name
  PopulationKind kind = PopulationKind::Neuron;
  std::vector<int64_t> shape;
  NeuronId first = 0; // id of its first neuron
  uint32_t size = 0;  // product of the shape

  bool operator==(const Population &) const = default;
};

/// Neurons of all populations together.
inline uint32_t neuronCount(const std::vector<Population> &populations) {
  return populations.empty() ? 0 : populations.back().first + populations.back().size;
}

/// Which neuron, in which step.
struct Spike {
  uint32_t step;
  NeuronId neuron;
  auto operator<=>(const Spike &) const = default;
};

} // namespace spindle
