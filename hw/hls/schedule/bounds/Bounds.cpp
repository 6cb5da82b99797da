#include "hw/hls/schedule/bounds/Bounds.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::hls {

namespace {

/// Cycles for which the operations take instances of every resource, together.
std::vector<uint64_t> demandOf(const Problem &problem) {
  std::vector<uint64_t> cycles(problem.resources.size(), 0);
  for (const ProblemOperation &operation : problem.operations)
    for (unsigned use : operation.uses)
      cycles[use] += operation.busy;
  return cycles;
}

void boundByResources(const Problem &problem, Bounds &bounds) {
  auto raise = [&](uint64_t interval, unsigned resource) {
    if (interval <= bounds.resource)
      return;
    bounds.resource = static_cast<unsigned>(interval);
    bounds.scarcest = resource;
  };
  std::vector<uint64_t> demand = demandOf(problem);
  for (unsigned r = 0; r < demand.size(); ++r)
    if (demand[r] > 0)
      raise((demand[r] + problem.resources[r].count - 1) / problem.resources[r].count, r);
  for (const ProblemOperation &operation : problem.operations)
    for (unsigned use : operation.uses)
      raise(operation.busy, use);
}

/// A circle of positive length shows that the interval is too small and how large it must be for
/// this circle: each one found raises the interval, and none is left at the end.
void boundByRecurrences(const Precedences &precedences, Bounds &bounds) {
  std::vector<int64_t> zeros(precedences.spans.size(), 0);
  while (true) {
    std::vector<unsigned> circle = longestPathsFrom(precedences, bounds.recurrence, zeros).circle;
    if (circle.empty())
      return;
    bounds.circle.clear();
    bounds.circleLatency = bounds.circleDistance = 0;
    for (unsigned p : circle) {
      const Precedence &precedence = precedences.all[p];
      bounds.circleLatency += precedence.weight;
      bounds.circleDistance += precedence.distance;
      bounds.circle.push_back(precedence.from);
      bounds.circle.insert(bounds.circle.end(), precedence.via.begin(), precedence.via.end());
    }
    bounds.recurrence = (bounds.circleLatency + bounds.circleDistance - 1) / bounds.circleDistance;
  }
}

} // namespace

Bounds boundsOf(const Problem &problem, const Precedences &precedences) {
  Bounds bounds;
  boundByRecurrences(precedences, bounds);
  boundByResources(problem, bounds);
  std::rotate(bounds.circle.begin(), std::min_element(bounds.circle.begin(), bounds.circle.end()),
              bounds.circle.end());
  return bounds;
}

Bounds boundsOf(const Problem &problem) { return boundsOf(problem, precedencesOf(problem)); }

std::string recurrenceText(const Problem &problem, const Bounds &bounds) {
  std::string text = fmt::format("recurrence {}", bounds.recurrence);
  if (bounds.circle.empty())
    return text;
  text += ": ";
  for (unsigned operation : bounds.circle)
    text += problem.operations[operation].name + " -> ";
  return text + fmt::format("{} (latency {}, distance {})",
                            problem.operations[bounds.circle.front()].name, bounds.circleLatency,
                            bounds.circleDistance);
}

std::string resourceText(const Problem &problem, const Bounds &bounds) {
  std::string text = fmt::format("resource {}", bounds.resource);
  if (!bounds.scarcest)
    return text;
  const Resource &resource = problem.resources[*bounds.scarcest];
  return text + fmt::format(": {} ({} cycles on {} instance{})", resource.name,
                            demandOf(problem)[*bounds.scarcest], resource.count,
                            resource.count == 1 ? "" : "s");
}

} // namespace spindle::hls
