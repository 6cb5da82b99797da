// One node per firing of an iteration: the homogeneous expansion of a data-flow graph.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

/// The source must have ended in iteration k - delay before the target starts in iteration k.
struct Precedence {
  uint32_t source, target;
  uint64_t delay;
  bool operator==(const Precedence &) const = default;
};

/// A timed event graph. Node n takes times[n].
struct EventGraph {
  std::vector<uint64_t> times;
  std::vector<ActorId> actors; // whose firing each node is
  std::vector<Precedence> edges;
};

/// Nodes: repetitions[a] firings of every actor, actors in order. One edge per channel and firing
/// of its target that consumes tokens, to the last of them (TokenOrigin.h); the full expansion
/// (Sriram & Bhattacharyya, "Embedded Multiprocessors", 2000, section 3.8) has one per token and
/// the same maximum cycle ratio.
EventGraph expand(const SdfGraph &graph, const std::vector<uint64_t> &repetitions);

} // namespace spindle
