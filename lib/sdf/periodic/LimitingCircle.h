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

/// Starts from schedules in which every actor repeats one turn of its phases, strongly connected
/// part by part. The slowest part gets longer turns: those of its iteration, if these are at most
/// `limit` firings (and 16 times as many edges), else the actors of the circle that limits it,
/// until they are multiples of what the circle repeats: then no schedule is faster, or none is
/// possible. Bodin, Munier-Kordon & Dupont de Dinechin, "Optimal and fast throughput evaluation of
/// CSDF", DAC 2016.
LimitingCircle limitingCircle(const SdfGraph &graph, const std::vector<uint64_t> &repetitions,
                              uint64_t limit);

} // namespace spindle
