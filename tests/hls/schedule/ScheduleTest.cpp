#include "hw/hls/schedule/problem/Schedule.h"
#include "hw/hls/schedule/Schedulers.h"

#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// a and b are loaded, multiplied, twice added to (combinational) and stored.
Problem scheduledExample() {
  Problem problem;
  problem.name = "dot";
  problem.operatorTypes = {
      {"load", 1, 2, 3}, {"mul", 2, 4, 4}, {"add", 0, 3, 3}, {"store", 1, 2, 0}};
  problem.resources = {{"port", 2}, {"multiplier", 1}};
  problem.operations = {{"a", 0, {0}, 1}, {"b", 0, {0}, 1}, {"m", 1, {1}, 2},
                        {"s", 2, {}, 1},  {"t", 2, {}, 1},  {"w", 3, {0}, 1}};
  problem.dependences = {{0, 2, 0, {}}, {1, 2, 0, {}}, {2, 3, 0, {}}, {3, 4, 0, {}},
                         {4, 5, 0, {}}, {4, 3, 1, {}}, {5, 0, 6, 1}};
  return problem;
}

/// Interval 2: loads in 0, product from 1 on, both sums in 3 (4 + 3 + 3 ns). The store would come
/// in 4, but that is row 0, where the loads take both ports.
Schedule solution() {
  Schedule schedule;
  schedule.interval = 2;
  schedule.start = {0, 0, 1, 3, 3, 5};
  schedule.offsetNs = {0, 0, 3, 4, 7, 0};
  schedule.instance = {{0}, {1}, {0}, {}, {}, {0}};
  return schedule;
}

TEST(Schedule, AGoodOneHasNoFaultAndADepth) {
  Problem problem = scheduledExample();
  EXPECT_EQ(toText(verify(problem, solution())), "");
  EXPECT_EQ(solution().depth(problem), 6u);
  EXPECT_THAT(chainOffsets(problem, solution().start, 2), ElementsAre(0, 0, 3, 4, 7, 0));
}

TEST(Schedule, WithoutPipeliningNothingIsCarriedWithinACycle) {
  Problem problem = scheduledExample();
  Schedule schedule = solution();
  schedule.interval = 0;
  EXPECT_EQ(toText(verify(problem, schedule)), "");
  schedule.start[5] = 4; // no row is shared any more
  EXPECT_EQ(toText(verify(problem, schedule)), "");
  EXPECT_EQ(schedule.depth(problem), 5u);
}

struct ScheduleMistake {
  void (*make)(Schedule &);
  const char *text;
};

TEST(Schedule, EveryFaultIsNamed) {
  const ScheduleMistake mistakes[] = {
      {[](Schedule &s) { s.start.pop_back(); }, "5 start cycles for 6 operations"},
      {[](Schedule &s) { s.offsetNs.push_back(0); }, "7 offsets for 6 operations"},
      {[](Schedule &s) { s.instance.pop_back(); }, "5 lists of instances for 6 operations"},
      {[](Schedule &s) { s.instance[0] = {}; }, "operation 'a' has 0 instances for 1 uses"},
      {[](Schedule &s) { s.start[2] = 0; },
       "operation 'm' starts in cycle 0, 1 cycles too early for 'a', which starts in cycle 0 with "
       "latency 1, distance 0 at interval 2"},
      {[](Schedule &s) { s.start[3] = 2; }, "operation 's' starts in cycle 2, 1 cycles too early"},
      {[](Schedule &s) { s.start[4] = 6; },
       "operation 'w' starts in cycle 5, 1 cycles too early for 't'"},
      {[](Schedule &s) { s.start[5] = 4; }, "operations 'a' and 'w' both take instance 0 of "
                                            "resource 'port' in cycle 0 of the interval of 2"},
      {[](Schedule &s) { s.instance[1] = {0}; },
       "operations 'a' and 'b' both take instance 0 of resource 'port' in cycle 0"},
      {[](Schedule &s) { s.instance[1] = {2}; },
       "operation 'b' has instance 2 of resource 'port', which has 2"},
      {[](Schedule &s) { s.interval = 1; },
       "operation 'm' is busy for 2 cycles, longer than the interval of 1"},
      {[](Schedule &s) { s.offsetNs[3] = 3; },
       "operation 's' takes its inputs 3 ns into cycle 3, but 'm' has its result only after 4 ns"},
      {[](Schedule &s) { s.offsetNs[5] = 9; },
       "the chain of delays that ends with operation 'w' in cycle 5 takes from 9 to 11 ns, but the "
       "clock period is 10 ns"},
      {[](Schedule &s) { s.offsetNs[0] = -1; },
       "the chain of delays that ends with operation 'a' in cycle 0 takes from -1 to 1 ns"}};
  for (const ScheduleMistake &mistake : mistakes) {
    Schedule schedule = solution();
    mistake.make(schedule);
    EXPECT_THAT(toText(verify(scheduledExample(), schedule)),
                HasSubstr(std::string("schedule of 'dot': error: ") + mistake.text));
  }
}

TEST(Schedule, AChainLongerThanTheClockPeriodIsFound) {
  Problem problem = scheduledExample();
  problem.clockPeriodNs = 9;
  EXPECT_THAT(
      toText(verify(problem, solution())),
      HasSubstr("the chain of delays that ends with operation 't' in cycle 3 takes from 7 to 10 "
                "ns, but the clock period is 9 ns"));
}

TEST(Schedule, AChainIntoALaterIterationIsFound) {
  Problem problem = scheduledExample();
  Schedule schedule = solution();
  // t of this iteration meets s of the next one: cycle 5 = 3 + 2.
  schedule.start[4] = 5;
  schedule.start[5] = 7;
  schedule.offsetNs = chainOffsets(problem, schedule.start, 2);
  EXPECT_THAT(schedule.offsetNs, ElementsAre(0, 0, 3, 4, 0, 0));
  schedule.offsetNs[3] = 2;
  EXPECT_THAT(toText(verify(problem, schedule)), HasSubstr("operation 's' takes its inputs 2 ns"));
}

/// Whatever start is moved by whatever amount: verify finds nothing wrong only if all conditions,
/// written down once more, hold.
TEST(Schedule, MovedStartsAreJudgedAsByAFlatCheck) {
  unsigned refused = 0, accepted = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = randomLoop(seed, {20, 2});
    Schedule schedule = llvm::cantFail(scheduleModulo(problem));
    CounterRandom random(seed, 1);
    for (unsigned trial = 0; trial < 40; ++trial) {
      Schedule moved = schedule;
      unsigned o = random.below(20);
      moved.start[o] = std::max(0, int(moved.start[o]) + int(random.below(7)) - 3);
      moved.offsetNs = chainOffsets(problem, moved.start, moved.interval);
      bool holds = true;
      for (const Dependence &d : problem.dependences)
        holds &= moved.start[d.to] + moved.interval * d.distance >=
                 moved.start[d.from] + latencyOf(problem, d);
      for (unsigned a = 0; a < 20; ++a)
        for (unsigned b = 0; b < a; ++b)
          if (!problem.operations[a].uses.empty() &&
              problem.operations[a].uses == problem.operations[b].uses &&
              moved.instance[a] == moved.instance[b])
            holds &= moved.start[a] % moved.interval != moved.start[b] % moved.interval;
      for (unsigned a = 0; a < 20; ++a)
        holds &= moved.offsetNs[a] + problem.operatorTypes[problem.operations[a].type].delayInNs <=
                 problem.clockPeriodNs + delayToleranceNs;
      EXPECT_EQ(!faultOf(problem, moved), holds);
      ++(holds ? accepted : refused);
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(accepted, 200u);
}

} // namespace
} // namespace spindle::hls
