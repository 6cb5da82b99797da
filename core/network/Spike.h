// One spike: which neuron, in which step.
#pragma once

#include "core/network/Population.h"

#include <compare>

namespace spindle {

struct Spike {
  uint32_t step;
  NeuronId neuron;
  auto operator<=>(const Spike &) const = default;
};

} // namespace spindle
