// Actors that take no time, and channels from an actor to itself: the analysis beside an execution
// token by token.
#include "lib/sdf/Analyze.h"

#include "tests/sdf/RandomSdf.h"
#include "gmock/gmock.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace spindle {
namespace {

using testing::HasSubstr;

/// When the last firing of every actor in each of `count` iterations ends; nothing where the graph
/// is deadlocked. Channels are queues of the times at which their tokens are there.
std::optional<std::vector<std::vector<uint64_t>>>
executed(const SdfGraph &graph, const std::vector<uint64_t> &repetitions, size_t count) {
  std::vector<std::deque<uint64_t>> queues;
  for (const SdfChannel &channel : graph.channels)
    queues.emplace_back(channel.initialTokens, 0);
  auto fire = [&](ActorId actor) -> std::optional<uint64_t> {
    uint64_t start = 0;
    for (size_t c = 0; c < queues.size(); ++c)
      if (graph.channels[c].target == actor) {
        if (queues[c].size() < graph.channels[c].consume)
          return std::nullopt;
        for (uint32_t token = 0; token < graph.channels[c].consume; ++token)
          start = std::max(start, queues[c][token]);
      }
    for (size_t c = 0; c < queues.size(); ++c)
      if (graph.channels[c].target == actor)
        queues[c].erase(queues[c].begin(), queues[c].begin() + graph.channels[c].consume);
    uint64_t end = start + graph.actors[actor].executionTime;
    for (size_t c = 0; c < queues.size(); ++c)
      if (graph.channels[c].source == actor)
        queues[c].insert(queues[c].end(), graph.channels[c].produce, end);
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
std::optional<double> periodOf(const std::vector<std::vector<uint64_t>> &ends) {
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

TEST(ZeroTimes, AnActorWithAChannelToItselfIsNoLimit) {
  for (uint64_t tokens : {1, 2, 7}) {
    SdfGraph alone{"g", {{"a", 0}}, {{0, 0, 1, 1, tokens, 0}}};
    EXPECT_THAT(toText(analyze(alone, {}).takeError()), HasSubstr("nothing limits the throughput"));
    // Beside an actor that takes time, with a channel to itself or in a circle with it.
    SdfGraph beside{"g", {{"a", 0}, {"b", 3}}, {{0, 0, 1, 1, tokens, 0}, {1, 1, 1, 1, 1, 0}}};
    EXPECT_EQ(llvm::cantFail(analyze(beside, {})).period, 3);
    beside.channels.push_back({0, 1, 1, 1, 0, 0});
    beside.channels.push_back({1, 0, 1, 1, 1, 0});
    EXPECT_EQ(llvm::cantFail(analyze(beside, {})).period, 3);
  }
  SdfGraph circle{"g", {{"a", 0}, {"b", 0}}, {{0, 1, 1, 1, 0, 0}, {1, 0, 1, 1, 4, 0}}};
  EXPECT_THAT(toText(analyze(circle, {}).takeError()), HasSubstr("nothing limits the throughput"));
  SdfGraph dead{"g", {{"a", 0}}, {{0, 0, 1, 1, 0, 0}}};
  EXPECT_THAT(toText(analyze(dead, {}).takeError()), HasSubstr("deadlock: a waits for a;"));
}

TEST(ZeroTimes, RandomGraphsAgreeWithTheirExecution) {
  uint32_t compared = 0, unlimited = 0, dead = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomSdf random = randomSdf(seed, 1 + seed % 5, 4);
    CounterRandom choose(seed, 7);
    uint32_t zeros = choose.below(4); // of four
    for (SdfActor &actor : random.graph.actors)
      if (choose.below(4) < zeros)
        actor.executionTime = 0;
    for (ActorId a = 0; a < random.graph.actors.size(); ++a)
      if (choose.below(2) == 0) {
        uint32_t rate = 1 + choose.below(3);
        uint64_t tokens = choose.below(12) == 0 ? choose.below(rate) : rate + choose.below(5);
        random.graph.channels.push_back({a, a, rate, rate, tokens, 0});
      }
    auto ends = executed(random.graph, random.repetitions, 120);
    llvm::Expected<SdfAnalysis> analysis = analyze(random.graph, {});
    if (!ends) {
      ++dead;
      EXPECT_THAT(toText(analysis.takeError()), HasSubstr("deadlock")) << "seed " << seed;
      continue;
    }
    std::optional<double> period = periodOf(*ends);
    if (!period) { // not in its regime yet
      llvm::consumeError(analysis.takeError());
      continue;
    }
    if (*period == 0) {
      ++unlimited;
      EXPECT_THAT(toText(analysis.takeError()), HasSubstr("nothing limits")) << "seed " << seed;
      continue;
    }
    ++compared;
    ASSERT_TRUE(bool(analysis)) << "seed " << seed << ": " << toText(analysis.takeError());
    EXPECT_EQ(analysis->period, *period) << "seed " << seed;
    EXPECT_EQ(analysis->latency, *std::max_element(ends->front().begin(), ends->front().end()))
        << "seed " << seed;
    EXPECT_TRUE(analysis->selfTimedAgrees) << "seed " << seed;
  }
  EXPECT_GT(compared, 800u);
  EXPECT_GT(unlimited, 50u);
  EXPECT_GT(dead, 20u);
}

} // namespace
} // namespace spindle
