#include "hw/hls/schedule/bounds/Precedences.h"

#include "hw/hls/schedule/problem/Schedule.h"
#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

/// Three adders of 4 ns in a row, period 10: two fit into a cycle.
TEST(Precedences, ALongChainIsPartedOnce) {
  Problem problem;
  problem.operatorTypes = {{"add", 0, 4, 4}};
  problem.operations = {{"a", 0, {}, 1}, {"b", 0, {}, 1}, {"c", 0, {}, 1}};
  problem.dependences = {{0, 1, 0, {}}, {1, 2, 0, {}}};
  Precedences precedences = precedencesOf(problem);
  ASSERT_EQ(precedences.all.size(), 3u);
  const Precedence &chain = precedences.all[2];
  EXPECT_EQ(chain.from, 0u);
  EXPECT_EQ(chain.to, 2u);
  EXPECT_EQ(chain.weight, 1u);
  EXPECT_EQ(chain.distance, 0u);
  EXPECT_THAT(chain.via, ::testing::ElementsAre(1));
  EXPECT_THAT(longestPathsFrom(precedences, 0, {0, 0, 0}).length, ::testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(longestPathsToEnd(precedences, 0).length, ::testing::ElementsAre(2, 1, 1));
}

/// Each chain of eleven is parted, however long the row of operations is.
TEST(Precedences, LongRowsArePartedOncePerChain) {
  for (double delayNs : {0.0, 0.1, 1.0}) {
    Problem problem;
    problem.operatorTypes = {{"gate", 0, delayNs, delayNs}};
    constexpr unsigned count = 20'000;
    for (unsigned o = 0; o < count; ++o)
      problem.operations.push_back({"o" + std::to_string(o), 0, {}, 1});
    for (unsigned o = 1; o < count; ++o)
      problem.dependences.push_back({o - 1, o, 0, {}});
    size_t together = delayNs == 0 ? count : size_t(problem.clockPeriodNs / delayNs + 0.5);
    EXPECT_EQ(precedencesOf(problem).all.size(), count - 1 + (count - together));
  }
}

TEST(Precedences, ACircleOfDelaysWithoutEndTerminates) {
  Problem problem;
  problem.operatorTypes = {{"wire", 0, 0, 0}, {"add", 0, 4, 4}};
  problem.operations = {{"phi", 0, {}, 1}, {"wire", 0, {}, 1}, {"sum", 1, {}, 1}};
  problem.dependences = {{0, 1, 0, {}}, {1, 0, 1, {}}, {0, 2, 0, {}}, {2, 0, 1, {}}};
  Precedences precedences = precedencesOf(problem);
  EXPECT_TRUE(longestPathsFrom(precedences, 1, {0, 0, 0}).circle.empty());
}

/// Random starts satisfy the precedences if and only if they satisfy the dependences and the chains
/// that they form fit into the period.
TEST(Precedences, EqualDependencesAndChains) {
  unsigned good = 0, longChain = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Problem problem = randomLoop(seed, {7, 1 + unsigned(seed % 3)});
    problem.clockPeriodNs = 7 + double(seed % 4);
    for (OperatorType &type : problem.operatorTypes)
      type.latency = std::min(type.latency, 1u);
    Precedences precedences = precedencesOf(problem);
    CounterRandom random(seed, 7);
    for (unsigned trial = 0; trial < 400; ++trial) {
      unsigned interval = trial % 5;
      // Mostly around the earliest starts, so that many hold.
      std::vector<unsigned> start;
      for (unsigned o = 0; o < 7; ++o) {
        unsigned least = 0;
        for (const Dependence &d : problem.dependences)
          if (d.to == o && d.from < o && d.distance == 0)
            least = std::max(least, start[d.from] + latencyOf(problem, d));
        start.push_back(least + (random.below(3) == 0 ? 1 : 0));
      }
      bool asPrecedences = true, asDependences = true;
      for (const Precedence &p : precedences.all)
        if (binds(p, interval))
          asPrecedences &= start[p.to] - int64_t(start[p.from]) >= lengthOf(p, interval);
      for (const Dependence &d : problem.dependences)
        if (interval > 0 || d.distance == 0)
          asDependences &=
              start[d.to] + interval * d.distance >= start[d.from] + latencyOf(problem, d);
      bool chainsFit = true;
      std::vector<double> offsets = chainOffsets(problem, start, interval);
      for (unsigned o = 0; o < 7; ++o)
        chainsFit &= offsets[o] + problem.operatorTypes[problem.operations[o].type].delayInNs <=
                     problem.clockPeriodNs + delayToleranceNs;
      EXPECT_EQ(asPrecedences, asDependences && chainsFit)
          << "seed " << seed << ", trial " << trial;
      good += asPrecedences;
      longChain += asDependences && !chainsFit;
    }
  }
  EXPECT_GT(good, 2000u);
  EXPECT_GT(longChain, 2000u);
}

} // namespace
} // namespace spindle::hls
