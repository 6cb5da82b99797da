// Actors that take no time, and channels from an actor to itself: the analysis beside an execution
// token by token.
#include "lib/sdf/Analyze.h"

#include "tests/sdf/RandomSdf.h"
#include "tests/sdf/TokenExecution.h"
#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::HasSubstr;

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
