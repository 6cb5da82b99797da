#include "lib/sdf/EventGraph.h"

#include "lib/sdf/TokenOrigin.h"

namespace spindle {

EventGraph expand(const SdfGraph &graph, const std::vector<uint64_t> &repetitions) {
  EventGraph events;
  std::vector<uint32_t> first; // node of each actor's first firing
  for (ActorId a = 0; a < graph.actors.size(); ++a) {
    first.push_back(static_cast<uint32_t>(events.times.size()));
    for (uint64_t firing = 0; firing < repetitions[a]; ++firing)
      events.times.push_back(graph.actors[a].executionTime[firing]);
    events.actors.insert(events.actors.end(), repetitions[a], a);
  }
  for (const SdfChannel &channel : graph.channels)
    for (uint32_t firing = 0; firing < repetitions[channel.target]; ++firing) {
      std::optional<int64_t> origin = lastTokenOrigin(channel, firing);
      if (!origin)
        continue;
      auto perIteration = static_cast<int64_t>(repetitions[channel.source]);
      int64_t delay = *origin >= 0 ? 0 : (perIteration - 1 - *origin) / perIteration;
      auto node = static_cast<uint32_t>(*origin + delay * perIteration);
      events.edges.push_back({first[channel.source] + node, first[channel.target] + firing,
                              static_cast<uint64_t>(delay)});
    }
  return events;
}

} // namespace spindle
