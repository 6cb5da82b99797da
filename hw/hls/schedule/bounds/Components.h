// The circles of a problem.
#pragma once

#include "hw/hls/schedule/bounds/Precedences.h"

namespace spindle::hls {

struct Component {
  std::vector<unsigned> operations;
  bool isCircle = false; // several operations that all wait for each other over iterations
};

/// Strongly connected components, predecessors first.
std::vector<Component> componentsOf(const Precedences &precedences);

} // namespace spindle::hls
