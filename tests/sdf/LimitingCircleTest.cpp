#include "lib/sdf/periodic/LimitingCircle.h"

#include "lib/sdf/Analyze.h"
#include "lib/sdf/BoundedChannels.h"
#include "lib/sdf/MaximumCycleRatio.h"
#include "lib/sdf/Repetitions.h"
#include "lib/sdf/SelfTimedExecution.h"
#include "tests/sdf/RandomSdf.h"
#include "gmock/gmock.h"

#include <set>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kEnough = 100'000;

/// Only the channels between actors of the circle that follow each other.
SdfGraph onlyCircle(const SdfGraph &graph, const std::vector<ActorId> &circle) {
  std::set<std::pair<ActorId, ActorId>> arcs;
  for (size_t i = 0; i < circle.size(); ++i)
    arcs.emplace(circle[i], circle[(i + 1) % circle.size()]);
  SdfGraph only = graph;
  std::erase_if(only.channels, [&](const SdfChannel &channel) {
    return !arcs.contains({channel.source, channel.target});
  });
  return only;
}

/// As with a node for each firing: the same period, or the same deadlock; and the circle alone is
/// as slow.
void expectExact(const SdfGraph &graph, const std::vector<uint64_t> &repetitions) {
  LimitingCircle limit = limitingCircle(graph, repetitions, kEnough);
  ASSERT_TRUE(limit.isExact);
  bool isLive = waitingCircle(graph, repetitions).empty();
  ASSERT_EQ(limit.period.has_value(), isLive);
  SdfGraph circle = onlyCircle(graph, limit.actors);
  if (isLive) {
    EXPECT_EQ(limit.period, maximumCycleRatio(expand(graph, repetitions))->ratio);
    EXPECT_EQ(limit.period, maximumCycleRatio(expand(circle, repetitions))->ratio);
  } else {
    EXPECT_FALSE(waitingCircle(circle, repetitions).empty());
  }
}

TEST(LimitingCircle, IsThatOfAllFirings) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    RandomSdf random = randomSdf(seed, 2 + seed % 6, 12);
    expectExact(random.graph, random.repetitions);
  }
}

// Capacities close the graph into many circles, often so tightly that nothing moves.
TEST(LimitingCircle, OfBoundedChannelsIsThatOfAllFirings) {
  uint32_t deadlocked = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomSdf random = randomSdf(seed, 2 + seed % 4, 8);
    CounterRandom choose(seed, 3);
    std::vector<uint64_t> capacities;
    for (SdfChannel &channel : random.graph.channels) {
      channel.initialTokens = std::min<uint64_t>(channel.initialTokens, choose.below(20));
      capacities.push_back(leastCapacity(channel) + choose.below(24));
    }
    SdfGraph bounded = withCapacities(random.graph, capacities);
    deadlocked += !waitingCircle(bounded, random.repetitions).empty();
    expectExact(bounded, random.repetitions);
  }
  EXPECT_GT(deadlocked, 50u);
  EXPECT_LT(deadlocked, 350u);
}

// A chain of coprime repetitions, each actor one firing at a time: only the slowest is expanded,
// however long an iteration is.
TEST(LimitingCircle, IterationsOfMillionsInClosedForm) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    CounterRandom random(seed, 5);
    SdfGraph graph{"chain", {}, {}};
    uint64_t slowest = 0;
    std::vector<uint64_t> repetitions;
    for (ActorId a = 0; a < 4; ++a) {
      repetitions.push_back(1 + random.below(400'000));
      graph.actors.push_back({"a" + std::to_string(a), 1 + random.below(50)});
      graph.channels.push_back({a, a, 1, 1, 1, 0});
      if (a > 0) {
        uint64_t common = std::gcd(repetitions[a - 1], repetitions[a]);
        graph.channels.push_back({a - 1, a, uint32_t(repetitions[a] / common),
                                  uint32_t(repetitions[a - 1] / common), random.below(7), 0});
      }
    }
    auto q = repetitionVector(graph);
    ASSERT_TRUE(bool(q));
    for (ActorId a = 0; a < 4; ++a)
      slowest = std::max(slowest, (*q)[a] * graph.actors[a].executionTime.total());
    auto analysis = analyze(graph, {});
    ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
    EXPECT_EQ(analysis->period, double(slowest));
    EXPECT_TRUE(analysis->selfTimedAgrees);
    EXPECT_TRUE(analysis->latency.has_value());
  }
}

// A ring of coprime repetitions has delays in units of their product, 10^40. Its tokens let all go
// on at once, so that the slowest actor alone is the limit.
TEST(LimitingCircle, CountsBeyond128Bits) {
  std::vector<uint32_t> primes = {100003, 100019, 100043, 100049, 100057, 100069, 100103, 100109};
  SdfGraph graph{"ring", {}, {}};
  for (ActorId a = 0; a < 8; ++a) {
    graph.actors.push_back({"a" + std::to_string(a), 40 - a});
    graph.channels.push_back({a, a, 1, 1, 1, 0});
    ActorId next = (a + 1) % 8;
    graph.channels.push_back({a, next, primes[next], primes[a], 4'000'000'000, 0});
  }
  auto analysis = analyze(graph, {});
  ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
  EXPECT_EQ(analysis->repetitions, (std::vector<uint64_t>(primes.begin(), primes.end())));
  EXPECT_EQ(analysis->period, 40. * 100003);
}

// Two actors with common rates in a circle that a third, which fires a million times as often,
// follows: the circle's turn is short.
TEST(LimitingCircle, OnlyWhatLimitsIsExpanded) {
  SdfGraph graph{"g",
                 {{"a", 70}, {"b", 30}, {"c", 1}},
                 {{0, 1, 3, 2, 0, 0},
                  {1, 0, 2, 3, 6, 0},
                  {1, 2, 5'000'000, 1, 0, 0},
                  {2, 2, 1, 1, 20'000'000, 0}}};
  SdfOptions options;
  options.maximumFirings = 10;
  auto analysis = analyze(graph, options);
  ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
  // Two firings of a at once, then three of b.
  EXPECT_EQ(analysis->period, 100);
  EXPECT_THAT(analysis->criticalCycle, ElementsAre(0, 1));
  EXPECT_FALSE(analysis->latency.has_value()); // of 15,000,005 firings
}

// 9 tokens go once round for 2 · 3 + (2 - 1) + (3 - 1) that evenly spaced firings need.
TEST(LimitingCircle, SelfTimedExecutionSettlesWhatIsTooLongToExpand) {
  SdfGraph graph{"g", {{"a", 7}, {"b", 5}}, {{0, 1, 2, 3, 0, 0}, {1, 0, 3, 2, 9, 0}}};
  EXPECT_FALSE(limitingCircle(graph, {3, 2}, 4).isExact);
  SdfOptions options;
  options.maximumFirings = 4;
  auto analysis = analyze(graph, options);
  ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
  EXPECT_EQ(analysis->period, 12);
  options.selfTimedFirings = 0;
  EXPECT_THAT(toText(analyze(graph, options).takeError()),
              HasSubstr("more than 4 firings around a, b decide the throughput"));
}

TEST(LimitingCircle, SaysWhichCycleIsTooLong) {
  // Coprime rates, and fewer places than would let both go on.
  SdfGraph graph{"g",
                 {{"a", 7}, {"b", 5}},
                 {{0, 1, 100'003, 100'019, 0, 0}, {1, 0, 100'019, 100'003, 210'000, 0}}};
  SdfOptions options;
  options.selfTimedFirings = 1000;
  EXPECT_EQ(
      toText(analyze(graph, options).takeError()),
      "data-flow graph 'g': error: more than 100000 firings around a, b decide the throughput; "
      "choose rates with common factors or raise maximum_firings");
  options.maximumFirings = 1'000'000;
  options.selfTimedFirings = 10'000'000;
  auto analysis = analyze(graph, options);
  ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
  EXPECT_TRUE(analysis->selfTimedAgrees);
}

// Found by review: tokens beyond 64 bits, which an execution would lose.
TEST(LimitingCircle, AnExecutionOfTooManyTokensGivesUp) {
  uint32_t many = UINT32_MAX, half = uint32_t(1) << 31;
  SdfGraph graph{"g",
                 {{"a", 10}, {"b", 0}, {"c", 10}, {"d", 0}, {"e", 0}},
                 {{0, 1, 1, 1, 2, 0},
                  {1, 2, many, 1, uint64_t(1) << 32, 0},
                  {2, 3, half, 1, 0, 0},
                  {3, 4, 1, half, 0, 0},
                  {4, 0, 1, many, 0, 0},
                  {0, 0, 1, 1, 1, 0}}};
  auto analysis = analyze(graph, {});
  ASSERT_TRUE(bool(analysis)) << toText(analysis.takeError());
  EXPECT_EQ(analysis->period, 10);
  EXPECT_FALSE(analysis->selfTimedAgrees);
  // … and work beyond 128.
  SdfGraph endless{"g",
                   {{"a", 0}, {"b", 0}, {"c", UINT64_MAX}},
                   {{0, 1, many, 1, 0, 0}, {1, 2, many, 1, 0, 0}, {2, 2, 1, 1, 1, 0}}};
  EXPECT_THAT(toText(analyze(endless, {}).takeError()), HasSubstr("one iteration works more than"));
}

// A chain of tight buffers: a cycle between each two actors, thousands in all.
TEST(LimitingCircle, ChainsOfTightBuffers) {
  SdfGraph graph{"chain", {}, {}};
  std::vector<uint64_t> repetitions;
  CounterRandom random(1, 9);
  for (ActorId a = 0; a < 300; ++a) {
    repetitions.push_back(a % 2 == 0 ? 6 : 35);
    graph.actors.push_back({"a" + std::to_string(a), 1 + random.below(20)});
    if (a == 0)
      continue;
    uint32_t made = a % 2 == 0 ? 6 : 35, taken = a % 2 == 0 ? 35 : 6;
    graph.channels.push_back({a - 1, a, made, taken, 0, 0});
    graph.channels.push_back({a, a - 1, taken, made, made + taken - 1 + random.below(3), 0});
  }
  expectExact(graph, repetitions);
}

TEST(LimitingCircle, ErrorsNameTheFirstActorsOfALongCycle) {
  SdfGraph graph{"ring", {}, {}};
  for (ActorId a = 0; a < 12; ++a) {
    graph.actors.push_back({"a" + std::to_string(a), 1});
    graph.channels.push_back({a, (a + 1) % 12, 1, 1, 1, 0});
  }
  SdfOptions options;
  options.maximumFirings = 11;
  options.selfTimedFirings = 0;
  EXPECT_THAT(toText(analyze(graph, options).takeError()),
              HasSubstr("11 firings around a0, a1, a2, a3, a4, a5, a6, a7 and 4 more decide"));
}

TEST(LimitingCircle, FindsDeadlocksOfIterationsThatAreNotExecuted) {
  SdfGraph graph{
      "g",
      {{"a", 1}, {"b", 0}, {"c", 1}},
      {{0, 1, 2, 3, 0, 0}, {1, 0, 3, 2, 3, 0}, {1, 2, 50'000'000, 1, 0, 0}, {2, 2, 1, 1, 1, 0}}};
  EXPECT_THAT(toText(analyze(graph, {}).takeError()),
              HasSubstr("deadlock: a, b wait for each other; put initial tokens on a channel of "
                        "this cycle"));
  graph.channels[1].initialTokens = 4;
  EXPECT_EQ(analyze(graph, {})->period, 1e8);
}

} // namespace
} // namespace spindle
