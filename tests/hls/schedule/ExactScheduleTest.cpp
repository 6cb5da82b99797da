#include "hw/hls/schedule/exact/ExactSchedule.h"

#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"
#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

#include <functional>
#include <map>

namespace spindle::hls {
namespace {

/// Whether there is a schedule of this interval (0: not pipelined) whose iterations end by
/// `horizon`: all starts are tried, instances in order of the operations. Resources whose
/// operations are busy for more than a cycle must have one instance.
bool existsByEnumeration(const Problem &problem, unsigned interval, unsigned horizon) {
  std::vector<unsigned> start(problem.operations.size(), 0);
  std::function<bool(unsigned)> assign = [&](unsigned o) {
    if (o == problem.operations.size()) {
      std::vector<double> offsets = chainOffsets(problem, start, interval);
      for (unsigned i = 0; i < start.size(); ++i)
        if (offsets[i] + problem.operatorTypes[problem.operations[i].type].delayInNs >
            problem.clockPeriodNs + delayToleranceNs)
          return false;
      return true;
    }
    for (start[o] = 0; start[o] + spanOf(problem, o) <= horizon; ++start[o]) {
      bool fits = true;
      for (const Dependence &d : problem.dependences)
        if (std::max(d.from, d.to) == o && (interval > 0 || d.distance == 0))
          fits &= start[d.to] + interval * d.distance >= start[d.from] + latencyOf(problem, d);
      std::map<std::pair<unsigned, unsigned>, unsigned> taken; // resource, row
      for (unsigned i = 0; i <= o && fits; ++i)
        for (unsigned use : problem.operations[i].uses)
          for (unsigned b = 0; b < problem.operations[i].busy; ++b) {
            unsigned cycle = start[i] + b;
            fits &=
                ++taken[{use, interval ? cycle % interval : cycle}] <= problem.resources[use].count;
          }
      if (fits && assign(o + 1))
        return true;
    }
    return false;
  };
  return assign(0);
}

/// Tiny loops whose latencies leave little room.
Problem tinyLoop(uint64_t seed) {
  Problem problem = randomLoop(seed, {4 + unsigned(seed % 3), 1 + unsigned(seed % 3),
                                      1 + unsigned(seed / 3 % 2), true, seed % 4 == 0});
  for (OperatorType &type : problem.operatorTypes)
    type.latency = std::min(type.latency, 2u);
  for (ProblemOperation &operation : problem.operations)
    if (seed % 5 == 0 && operation.uses.empty())
      operation.uses = {1, 0}; // both at once
  return problem;
}

/// One ring of dependences with a chord: rows are prescribed, and instances are short.
Problem ring(uint64_t seed) {
  CounterRandom random(seed);
  Problem problem;
  problem.operatorTypes = {{"one", 1, 1, 1}, {"two", 2, 1, 1}, {"three", 3, 1, 1}};
  problem.resources = {{"first", 1}, {"second", 1 + random.below(2)}};
  unsigned count = 4 + random.below(2);
  for (unsigned o = 0; o < count; ++o) {
    problem.operations.push_back({"o" + std::to_string(o), random.below(3), {}, 1});
    if (unsigned use = random.below(6); use < 5)
      problem.operations.back().uses = {use / 4};
    if (o > 0)
      problem.dependences.push_back({o - 1, o, 0, {}});
  }
  problem.dependences.push_back({count - 1, 0, 2, {}});
  problem.dependences.push_back({count - 1, random.below(count), 1, {}});
  return problem;
}

TEST(ExactSchedule, EqualsEnumerationOnTinyLoops) {
  constexpr unsigned horizon = 20;
  unsigned aboveBound = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Problem problem = seed % 4 == 0 ? tinyLoop(seed / 4) : ring(seed);
    ExactSchedule exact = llvm::cantFail(scheduleExact(problem));
    ASSERT_TRUE(exact.isProven && exact.isDepthProven);
    EXPECT_EQ(faultOf(problem, exact.schedule), std::nullopt);
    EXPECT_EQ(exact.lowerBound, exact.schedule.interval);
    aboveBound += exact.schedule.interval > boundsOf(problem).interval();

    unsigned depth = exact.schedule.depth(problem);
    EXPECT_EQ(exact.depthBound, depth);
    ASSERT_LE(depth, horizon);
    for (unsigned interval = 1; interval < exact.schedule.interval; ++interval)
      EXPECT_FALSE(existsByEnumeration(problem, interval, horizon)) << "seed " << seed;
    EXPECT_TRUE(existsByEnumeration(problem, exact.schedule.interval, depth)) << "seed " << seed;
    EXPECT_FALSE(existsByEnumeration(problem, exact.schedule.interval, depth - 1))
        << "seed " << seed;
  }
  EXPECT_GT(aboveBound, 20u);
}

TEST(ExactSchedule, UnpipelinedDepthEqualsEnumeration) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = tinyLoop(seed);
    ExactSchedule exact = llvm::cantFail(scheduleExact(problem, {.isPipelined = false}));
    ASSERT_TRUE(exact.isDepthProven);
    EXPECT_EQ(exact.schedule.interval, 0u);
    EXPECT_EQ(faultOf(problem, exact.schedule), std::nullopt);
    unsigned depth = exact.schedule.depth(problem);
    EXPECT_TRUE(existsByEnumeration(problem, 0, depth));
    EXPECT_FALSE(existsByEnumeration(problem, 0, depth - 1)) << "seed " << seed;
  }
}

/// Two dividers for operations that are busy for 2 and 3 of 5 cycles: instances matter, not only
/// how many are taken in each row.
TEST(ExactSchedule, InstancesThatAreTakenForLongArePacked) {
  Problem problem;
  problem.operatorTypes = {{"div", 3, 1, 1}};
  problem.resources = {{"divider", 2}};
  for (unsigned busy : {2u, 2u, 3u, 3u})
    problem.operations.push_back({"d" + std::to_string(problem.operations.size()), 0, {0}, busy});
  ExactSchedule exact = llvm::cantFail(scheduleExact(problem));
  EXPECT_TRUE(exact.isProven);
  EXPECT_EQ(exact.schedule.interval, 5u);
  // Three times 3 and once 1 would fill 5 rows of 2 by number, but two of the threes share an
  // instance.
  for (unsigned o = 0; o < 4; ++o)
    problem.operations[o].busy = o == 0 ? 1 : 3;
  exact = llvm::cantFail(scheduleExact(problem));
  EXPECT_TRUE(exact.isProven);
  EXPECT_EQ(boundsOf(problem).interval(), 5u);
  EXPECT_EQ(exact.schedule.interval, 6u);
}

TEST(ExactSchedule, TheHeuristicIsWithinOneOnRandomLoops) {
  unsigned shorter = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Problem problem = randomLoop(seed, {10 + unsigned(seed % 51), 1 + unsigned(seed % 3)});
    Schedule heuristic = llvm::cantFail(scheduleModulo(problem));
    ExactSchedule exact = llvm::cantFail(scheduleExact(problem, {.seconds = 1e9, .steps = 20000}));
    EXPECT_TRUE(exact.isProven) << "seed " << seed;
    EXPECT_EQ(faultOf(problem, exact.schedule), std::nullopt);
    EXPECT_LE(heuristic.interval, exact.schedule.interval + 1) << "seed " << seed;
    EXPECT_GE(exact.lowerBound, boundsOf(problem).interval());
    EXPECT_LE(exact.depthBound, exact.schedule.depth(problem));
    if (heuristic.interval == exact.schedule.interval) {
      EXPECT_LE(exact.schedule.depth(problem), heuristic.depth(problem));
      shorter += exact.schedule.depth(problem) < heuristic.depth(problem);
    }
  }
  EXPECT_GT(shorter, 0u);
}

TEST(ExactSchedule, TwoHundredOperationsAreProven) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Problem problem = randomLoop(seed, {200, 3});
    ExactSchedule exact = llvm::cantFail(scheduleExact(problem, {.seconds = 1e9, .steps = 50000}));
    EXPECT_TRUE(exact.isProven && exact.isDepthProven) << "seed " << seed;
  }
}

TEST(ExactSchedule, WithoutStepsItIsTheHeuristicAndItsBounds) {
  Problem problem = randomLoop(167, {10 + 167 % 51, 1 + 167 % 3});
  ExactSchedule exact = llvm::cantFail(scheduleExact(problem, {.steps = 0}));
  EXPECT_EQ(exact.schedule, llvm::cantFail(scheduleModulo(problem)));
  EXPECT_EQ(exact.lowerBound, boundsOf(problem).interval());
  exact = llvm::cantFail(scheduleExact(problem, {.minimizesDepth = false}));
  EXPECT_EQ(exact.depthBound, 0u);
  EXPECT_FALSE(exact.isDepthProven);
}

/// Their bounds alone would not fit into memory; what the heuristic finds is taken, and known not
/// to be proven.
TEST(ExactSchedule, SearchesOfThousandsAreNotBegun) {
  Problem problem;
  problem.operatorTypes = {{"load", 1, 1, 1}};
  problem.resources = {{"port", 2}};
  for (unsigned o = 0; o < 9'000; ++o)
    problem.operations.push_back({"o" + std::to_string(o), 0, {0}, 1});
  ExactSchedule exact = llvm::cantFail(scheduleExact(problem, {.seconds = 1e9}));
  EXPECT_TRUE(exact.isProven);
  EXPECT_EQ(exact.schedule.interval, 4'500u);
  EXPECT_FALSE(exact.isDepthProven);
  // Circles of loads: none of them is searched for an interval below the heuristic's.
  for (unsigned o = 1; o < 9'000; o += 2)
    problem.dependences.insert(problem.dependences.end(), {{o - 1, o, 0, {}}, {o, o - 1, 2, {}}});
  exact = llvm::cantFail(scheduleExact(problem, {.minimizesDepth = false, .seconds = 1e9}));
  EXPECT_EQ(exact.lowerBound, 4'500u);
  EXPECT_EQ(faultOf(problem, exact.schedule), std::nullopt);
}

TEST(ExactSchedule, InvalidProblemsAreRefused) {
  Problem problem = randomLoop(0, {10, 1});
  problem.operations[3].busy = 0;
  EXPECT_THAT(toText(scheduleExact(problem).takeError()), ::testing::HasSubstr("is busy for 0"));
}

} // namespace
} // namespace spindle::hls
