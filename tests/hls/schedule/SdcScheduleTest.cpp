#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Precedences.h"
#include "hw/hls/schedule/exact/DifferenceProgram.h"

#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

#include <functional>

namespace spindle::hls {
namespace {

TEST(DifferenceProgram, EqualsEnumeration) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CounterRandom random(seed);
    constexpr int nodes = 5, largest = 6;
    // A random point makes the program feasible; node 0 bounds all others from both sides.
    std::vector<int64_t> x(nodes), cost(nodes);
    for (int64_t &value : x)
      value = random.below(largest + 1);
    x[0] = 0;
    std::vector<DifferenceConstraint> constraints;
    for (unsigned i = 1; i < nodes; ++i) {
      constraints.push_back({0, i, 0});
      constraints.push_back({i, 0, -largest});
      cost[i] = int64_t(random.below(7)) - 3;
      cost[0] -= cost[i];
    }
    for (unsigned c = 0; c < 6; ++c) {
      unsigned from = random.below(nodes), to = random.below(nodes);
      if (from != to)
        constraints.push_back({from, to, x[to] - x[from] - int64_t(random.below(4))});
    }
    auto costOf = [&](const std::vector<int64_t> &y) {
      int64_t sum = 0;
      for (unsigned i = 0; i < nodes; ++i)
        sum += cost[i] * y[i];
      return sum;
    };
    auto holds = [&](const std::vector<int64_t> &y) {
      return std::all_of(constraints.begin(), constraints.end(),
                         [&](const auto &c) { return y[c.to] >= y[c.from] + c.weight; });
    };
    int64_t least = INT64_MAX;
    std::vector<int64_t> y(nodes, 0);
    std::function<void(unsigned)> assign = [&](unsigned i) {
      if (i == nodes) {
        if (holds(y))
          least = std::min(least, costOf(y));
        return;
      }
      for (y[i] = 0; y[i] <= largest; ++y[i])
        assign(i + 1);
    };
    assign(1);
    std::vector<int64_t> best = minimizeDifferences(constraints, cost, x);
    EXPECT_TRUE(holds(best)) << "seed " << seed;
    EXPECT_EQ(costOf(best), least) << "seed " << seed;
  }
}

TEST(ScheduleSdc, WithoutResourcesItsDepthIsTheLongestPath) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = randomLoop(seed, {10 + unsigned(seed), 2});
    for (ProblemOperation &operation : problem.operations)
      operation.uses.clear();
    Schedule schedule = llvm::cantFail(scheduleSdc(problem));
    int64_t longest = 0;
    for (int64_t length : longestPathsToEnd(precedencesOf(problem), 0).length)
      longest = std::max(longest, length);
    EXPECT_EQ(schedule.depth(problem), longest);
  }
}

/// Of all schedules of the least depth, none has shorter lifetimes.
TEST(ScheduleSdc, LifetimesEqualEnumeration) {
  unsigned shorter = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = randomLoop(seed, {6, 1});
    for (ProblemOperation &operation : problem.operations)
      operation.uses.clear();
    for (OperatorType &type : problem.operatorTypes)
      type.latency = std::min(type.latency, 2u);
    Schedule schedule = llvm::cantFail(scheduleSdc(problem));
    unsigned depth = schedule.depth(problem);
    Schedule tried = schedule;
    uint64_t least = UINT64_MAX;
    std::function<void(unsigned)> assign = [&](unsigned o) {
      if (o == problem.operations.size()) {
        tried.offsetNs = chainOffsets(problem, tried.start, 0);
        if (!faultOf(problem, tried))
          least = std::min(least, lifetimesOf(problem, tried));
        return;
      }
      for (tried.start[o] = 0; tried.start[o] + spanOf(problem, o) <= depth; ++tried.start[o])
        assign(o + 1);
    };
    assign(0);
    EXPECT_EQ(lifetimesOf(problem, schedule), least) << "seed " << seed;
    shorter += least < lifetimesOf(problem, llvm::cantFail(scheduleAsap(problem)));
  }
  EXPECT_GT(shorter, 10u);
}

TEST(ScheduleSdc, NeverWorseThanListScheduling) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = randomLoop(seed, {10 + unsigned(seed), 2, 2, true, seed % 2 == 0});
    Schedule list = llvm::cantFail(scheduleList(problem));
    Schedule schedule = llvm::cantFail(scheduleSdc(problem));
    EXPECT_EQ(faultOf(problem, schedule), std::nullopt);
    EXPECT_LE(schedule.depth(problem), list.depth(problem));
    EXPECT_LE(lifetimesOf(problem, schedule), lifetimesOf(problem, list));
  }
}

} // namespace
} // namespace spindle::hls
