#include "lib/sdf/MaximumCycleRatio.h"

#include "tests/sdf/RandomSdf.h"
#include "gmock/gmock.h"

#include <functional>

namespace spindle {
namespace {

/// The greatest ratio by walking every simple cycle.
CycleRatio byEnumeration(const EventGraph &graph) {
  CycleRatio worst;
  auto nodes = static_cast<uint32_t>(graph.times.size());
  for (uint32_t first = 0; first < nodes; ++first) {
    std::vector<bool> onPath(nodes, false);
    std::function<void(uint32_t, Wide, Wide)> walk = [&](uint32_t node, Wide time, Wide delay) {
      for (const Precedence &edge : graph.edges) {
        if (edge.source != node || edge.target < first || onPath[edge.target])
          continue;
        Wide nextTime = time + graph.times[node], nextDelay = delay + edge.delay;
        if (edge.target == first) {
          worst = std::max(worst, CycleRatio::of(nextTime, nextDelay));
          continue;
        }
        onPath[edge.target] = true;
        walk(edge.target, nextTime, nextDelay);
        onPath[edge.target] = false;
      }
    };
    walk(first, 0, 0);
  }
  return worst;
}

/// One edge per token instead of one per firing.
EventGraph fullExpansion(const SdfGraph &graph, const std::vector<uint64_t> &repetitions) {
  EventGraph events;
  std::vector<uint32_t> first;
  for (ActorId a = 0; a < graph.actors.size(); ++a) {
    first.push_back(static_cast<uint32_t>(events.times.size()));
    events.times.resize(events.times.size() + repetitions[a],
                        graph.actors[a].executionTime.total());
  }
  for (const SdfChannel &channel : graph.channels) {
    uint64_t qs = repetitions[channel.source], qt = repetitions[channel.target];
    // Token n of the produced ones is token n + initialTokens of the channel.
    for (uint64_t n = 0; n < qs * channel.produce.total(); ++n) {
      uint64_t firing = (n + channel.initialTokens) / channel.consume.total();
      events.edges.push_back({first[channel.source] + uint32_t(n / channel.produce.total()),
                              first[channel.target] + uint32_t(firing % qt), firing / qt});
    }
  }
  return events;
}

TEST(MaximumCycleRatio, EqualsEnumerationOnTheFullExpansion) {
  uint32_t compared = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomSdf random = randomSdf(seed, 2 + seed % 3, 3);
    EventGraph full = fullExpansion(random.graph, random.repetitions);
    if (full.times.size() > 7)
      continue;
    ++compared;
    auto cycle = maximumCycleRatio(expand(random.graph, random.repetitions));
    ASSERT_TRUE(cycle.has_value());
    EXPECT_EQ(cycle->ratio, byEnumeration(full)) << "seed " << seed;
  }
  EXPECT_GT(compared, 100u);
}

TEST(MaximumCycleRatio, TheCycleAttainsTheRatio) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomSdf random = randomSdf(seed, 6, 5);
    EventGraph events = expand(random.graph, random.repetitions);
    auto cycle = maximumCycleRatio(events);
    ASSERT_TRUE(cycle.has_value());
    Wide time = 0, delay = 0;
    for (size_t i = 0; i < cycle->nodes.size(); ++i) {
      uint32_t node = cycle->nodes[i], next = cycle->nodes[(i + 1) % cycle->nodes.size()];
      uint64_t least = UINT64_MAX;
      for (const Precedence &edge : events.edges)
        if (edge.source == node && edge.target == next)
          least = std::min(least, edge.delay);
      ASSERT_NE(least, UINT64_MAX) << "seed " << seed << ": no edge along the cycle";
      time += events.times[node];
      delay += least;
    }
    EXPECT_EQ(CycleRatio::of(time, delay), cycle->ratio) << "seed " << seed;
  }
}

TEST(MaximumCycleRatio, NothingWithoutACycle) {
  EXPECT_FALSE(maximumCycleRatio({{1, 2}, {0, 1}, {{0, 1, 0}}}).has_value());
}

} // namespace
} // namespace spindle
