// A data-flow graph executed token by token: what the analysis is compared with.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace spindle {

/// When the last firing of every actor in each of `count` iterations ends; nothing where the graph
/// is deadlocked. Channels are queues of the times at which their tokens are there.
inline std::optional<std::vector<std::vector<uint64_t>>>
executed(const SdfGraph &graph, const std::vector<uint64_t> &repetitions, size_t count) {
  std::vector<std::deque<uint64_t>> queues;
  for (const SdfChannel &channel : graph.channels)
    queues.emplace_back(channel.initialTokens, 0);
  std::vector<uint64_t> fired(graph.actors.size(), 0);
  auto fire = [&](ActorId actor) -> std::optional<uint64_t> {
    uint64_t start = 0, firing = fired[actor];
    for (size_t c = 0; c < queues.size(); ++c)
      if (graph.channels[c].target == actor) {
        if (queues[c].size() < graph.channels[c].consume[firing])
          return std::nullopt;
        for (uint32_t token = 0; token < graph.channels[c].consume[firing]; ++token)
          start = std::max(start, queues[c][token]);
      }
    for (size_t c = 0; c < queues.size(); ++c)
      if (graph.channels[c].target == actor)
        queues[c].erase(queues[c].begin(), queues[c].begin() + graph.channels[c].consume[firing]);
    uint64_t end = start + graph.actors[actor].executionTime[firing];
    for (size_t c = 0; c < queues.size(); ++c)
      if (graph.channels[c].source == actor)
        queues[c].insert(queues[c].end(), graph.channels[c].produce[firing], end);
    ++fired[actor];
    return end;
  };
  std::vector<std::vector<uint64_t>> ends;
  for (size_t iteration = 0; iteration < count; ++iteration) {
    std::vector<uint64_t> left = repetitions, &last = ends.emplace_back(graph.actors.size(), 0);
    for (bool isMoving = true; isMoving;) {
      isMoving = false;
      for (ActorId a = 0; a < graph.actors.size(); ++a)
        while (left[a] > 0) {
          std::optional<uint64_t> end = fire(a);
          if (!end)
            break;
          last[a] = std::max(last[a], *end);
          --left[a];
          isMoving = true;
        }
    }
    if (std::any_of(left.begin(), left.end(), [](uint64_t rest) { return rest > 0; }))
      return std::nullopt;
  }
  return ends;
}

/// Time per iteration once all actors of a strongly connected graph return to the same distances
/// after every so many iterations, over the last forty.
inline std::optional<double> periodOf(const std::vector<std::vector<uint64_t>> &ends) {
  for (size_t cycle = 1; cycle <= 40; ++cycle) {
    uint64_t advance = ends.back()[0] - ends[ends.size() - 1 - cycle][0];
    bool isPeriodic = true;
    for (size_t k = ends.size() - 40; k < ends.size(); ++k)
      for (size_t a = 0; a < ends[k].size(); ++a)
        isPeriodic &= ends[k][a] - ends[k - cycle][a] == advance;
    if (isPeriodic)
      return double(advance) / double(cycle);
  }
  return std::nullopt;
}

} // namespace spindle
