#include "lib/sdf/MaximumCycleRatio.h"

#include "lib/sdf/periodic/PolicyIteration.h"

namespace spindle {

std::optional<CriticalCycle> maximumCycleRatio(const EventGraph &graph) {
  std::vector<RatioEdge> edges;
  for (const Precedence &edge : graph.edges)
    edges.push_back({edge.source, edge.target, graph.times[edge.source], edge.delay});
  CriticalCycle cycle;
  Wide time = 0, delay = 0;
  for (size_t e : greatestRatio(static_cast<uint32_t>(graph.times.size()), edges)) {
    time += graph.times[graph.edges[e].source];
    delay += graph.edges[e].delay;
    cycle.nodes.push_back(graph.edges[e].source);
  }
  if (time == 0)
    return std::nullopt;
  cycle.ratio = CycleRatio::of(time, delay);
  return cycle;
}

} // namespace spindle
