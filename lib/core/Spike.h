// One spike: which neuron, in which step.
#pragma once

#include "lib/core/Population.h"

#include <compare>

namespace spindle {

struct Spike {
  uint32_t step;
  NeuronId neuron;
  auto operator<=>(const Spike &) const = default;
};

} // namespace spindle
