// What limits a data-flow graph, without a node for each firing.
#pragma once

#include "lib/sdf/CycleRatio.h"

#include <optional>

namespace spindle {

/// The circle of actors that limits a graph.
struct LimitingCircle {
  std::optional<CycleRatio> period; // time per iteration; nothing: the actors wait for each other
  std::vector<ActorId> actors;      // each with a channel to the next; none: nothing limits
  bool isExact = true; // else the period is an upper bound: more than the limit had to be expanded
};

/// Starts from schedules in which every actor repeats one turn of its phases, and gives longer
/// turns to the actors of the circle that limits these, until they are multiples of what the circle
/// repeats: then no schedule is faster, or none is possible. So only what limits is expanded, at
/// most `limit` firings and the edges between them. The slowest strongly connected part decides.
/// Bodin, Munier-Kordon & Dupont de Dinechin, "Optimal and fast throughput evaluation of CSDF", DAC
/// 2016.
LimitingCircle limitingCircle(const SdfGraph &graph, const std::vector<uint64_t> &repetitions,
                              uint64_t limit);

} // namespace spindle
