// A vertex beside another one.
#pragma once

#include "core/support/CounterRandom.h"
#include "lib/partition/Hypergraph.h"

namespace spindle {

/// An end of a net of `v`, drawn at random: mostly of one that it reads, in a quarter of the cases
/// of one that it drives. kNone where it has no net, or the end is the host; may be `v` itself.
inline VertexId randomNeighbour(const Hypergraph &graph, VertexId v, CounterRandom &random) {
  auto pins = uint32_t(graph.pins[v].size()), driven = uint32_t(graph.driven[v].size());
  if (pins + driven == 0)
    return kNone;
  bool byDriven = pins == 0 || (driven > 0 && random.below(4) == 0);
  uint32_t net =
      byDriven ? graph.driven[v][random.below(driven)] : graph.pins[v][random.below(pins)];
  std::span<const uint32_t> ends = graph.readers[net];
  uint32_t n = random.below(uint32_t(ends.size()) + 1);
  return n < ends.size() ? ends[n] : graph.driver[net];
}

} // namespace spindle
