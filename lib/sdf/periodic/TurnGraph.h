// One node per firing of a turn: what a data-flow graph is expanded to where actors repeat turns.
#pragma once

#include "core/chip/sdf/SdfGraph.h"
#include "lib/sdf/periodic/PolicyIteration.h"

#include <optional>

namespace spindle {

/// Start of target ≥ start of source + time - delay · period / TurnGraph::units. Delays may be
/// below 0: the source is in a later turn than the target.
struct TurnEdge {
  uint32_t source, target;
  size_t channel; // of the graph
  uint64_t time;  // of the source
  Integer delay;
};

struct TurnGraph {
  uint32_t nodes = 0;
  std::vector<TurnEdge> edges;
  Integer units = 1; // of an iteration, so that all delays are whole
};

/// Where actor a repeats what it does every turns[a] · phases[a] firings, which divide
/// repetitions[a], start times of the firings of one turn say those of all. They are possible if
/// every node starts in time for the edges; an edge for each pair of firings of which one may make
/// the last token that the other consumes. Only `channels` count. Nothing where there would be more
/// than `limit` nodes, or sixteen times as many edges. Benabid-Najjar, Hanen, Marchetti &
/// Munier-Kordon, "Periodic schedules for bounded timed weighted event graphs", IEEE Trans.
/// Automatic Control 2012.
std::optional<TurnGraph> expandTurns(const SdfGraph &graph, const std::vector<size_t> &channels,
                                     const std::vector<uint64_t> &repetitions,
                                     const std::vector<uint64_t> &turns, uint64_t limit);

} // namespace spindle
