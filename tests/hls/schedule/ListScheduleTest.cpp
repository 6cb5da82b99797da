#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Precedences.h"

#include "tests/hls/schedule/CellTable.h"
#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

#include <set>

namespace spindle::hls {
namespace {

using ::testing::HasSubstr;

Problem withoutResources(uint64_t seed) {
  Problem problem = randomLoop(seed, {10 + unsigned(seed % 50), 2});
  for (ProblemOperation &operation : problem.operations)
    operation.uses.clear();
  return problem;
}

/// Earliest (cycle, offset) of every operation, by pushing times forward: an input that comes too
/// late in its cycle waits for the next one.
std::vector<unsigned> byTimes(const Problem &problem) {
  size_t count = problem.operations.size();
  std::vector<std::pair<unsigned, double>> at(count, {0, 0});
  for (bool changed = true; changed;) {
    changed = false;
    for (const Dependence &d : problem.dependences) {
      if (d.distance > 0)
        continue;
      const OperatorType &from = problem.operatorTypes[problem.operations[d.from].type];
      const OperatorType &to = problem.operatorTypes[problem.operations[d.to].type];
      std::pair<unsigned, double> comes{at[d.from].first + from.latency,
                                        from.latency ? from.delayOutNs
                                                     : at[d.from].second + from.delayInNs};
      if (comes.second + to.delayInNs > problem.clockPeriodNs + 1e-6)
        comes = {comes.first + 1, 0};
      if (comes > at[d.to]) {
        at[d.to] = comes;
        changed = true;
      }
    }
  }
  std::vector<unsigned> start;
  for (auto [cycle, offset] : at)
    start.push_back(cycle);
  return start;
}

TEST(ScheduleAsap, IsEarliestInCyclesAndDelays) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Problem problem = withoutResources(seed);
    problem.clockPeriodNs = 7 + double(seed % 5);
    Schedule schedule = llvm::cantFail(scheduleAsap(problem));
    EXPECT_EQ(schedule.start, byTimes(problem));
  }
}

TEST(ScheduleAsap, DoesNotWaitForInstances) {
  Problem problem;
  problem.name = "loads";
  problem.operatorTypes = {{"load", 1, 1, 1}};
  problem.resources = {{"port", 1}};
  problem.operations = {{"a", 0, {0}, 1}, {"b", 0, {0}, 1}};
  EXPECT_EQ(
      toText(scheduleAsap(problem).takeError()),
      "scheduling problem 'loads': error: no instance is free for operation 'b' in cycle 0, and "
      "scheduling as soon as possible does not wait: use list scheduling");
}

TEST(ScheduleList, IsEarliestWithoutResources) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = withoutResources(seed);
    EXPECT_EQ(llvm::cantFail(scheduleList(problem)), llvm::cantFail(scheduleAsap(problem)));
  }
}

/// Graham 1966: with unit latencies and m instances, less than twice the best.
TEST(ScheduleList, KeepsGrahamsBound) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CounterRandom random(seed);
    Problem problem;
    problem.operatorTypes = {{"unit", 1, 1, 1}};
    problem.resources = {{"machine", 1 + random.below(4)}};
    unsigned count = 5 + random.below(60);
    for (unsigned o = 0; o < count; ++o) {
      problem.operations.push_back({"o" + std::to_string(o), 0, {0}, 1});
      if (o > 0 && random.below(3) > 0)
        problem.dependences.push_back({random.below(o), o, 0, {}});
    }
    Schedule schedule = llvm::cantFail(scheduleList(problem));
    unsigned path = 0;
    for (int64_t length : longestPathsToEnd(precedencesOf(problem), 0).length)
      path = std::max(path, unsigned(length));
    unsigned machines = problem.resources[0].count;
    double bound = path + double(count - path) / machines;
    EXPECT_LE(schedule.depth(problem), bound + 1e-9);
    EXPECT_GE(schedule.depth(problem), std::max(path, (count + machines - 1) / machines));
  }
}

TEST(ScheduleList, ValidOnRandomLoops) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Problem problem = randomLoop(seed, {10 + unsigned(seed), 2, 2, true, seed % 2 == 0});
    llvm::Expected<Schedule> schedule = scheduleList(problem);
    ASSERT_TRUE(bool(schedule)) << toText(schedule.takeError());
    EXPECT_EQ(schedule->interval, 0u);
    EXPECT_EQ(faultOf(problem, *schedule), std::nullopt);
  }
}

/// Starts and instances when in every cycle everything that has its inputs is tried, the longest
/// way to the end first.
std::pair<std::vector<unsigned>, std::vector<std::vector<unsigned>>>
byTryingAll(const Problem &problem) {
  size_t count = problem.operations.size(), left = count;
  Precedences precedences = precedencesOf(problem);
  std::vector<int64_t> toEnd = longestPathsToEnd(precedences, 0).length, start(count, -1);
  std::vector<std::vector<unsigned>> instances(count);
  CellTable table(problem, 0);
  for (int64_t cycle = 0; left > 0; ++cycle) {
    std::set<unsigned> tried;
    auto isReady = [&](unsigned o) {
      if (start[o] >= 0 || tried.count(o))
        return false;
      for (unsigned p : precedences.incoming[o]) {
        const Precedence &precedence = precedences.all[p];
        bool isThere = start[precedence.from] >= 0 &&
                       start[precedence.from] + int64_t(precedence.weight) <= cycle;
        if (precedence.distance == 0 && !isThere)
          return false;
      }
      return true;
    };
    while (true) {
      std::optional<unsigned> next;
      for (unsigned o = 0; o < count; ++o)
        if (isReady(o) && (!next || toEnd[o] > toEnd[*next]))
          next = o;
      if (!next)
        break;
      tried.insert(*next);
      auto found = table.find(*next, cycle);
      if (!found)
        continue;
      table.place(*next, cycle, *found);
      start[*next] = cycle;
      instances[*next] = *found;
      --left;
    }
  }
  return {{start.begin(), start.end()}, instances};
}

TEST(ScheduleList, IsWhatTryingAllInEveryCycleGives) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Problem problem = randomLoop(
        seed, {10 + unsigned(seed % 60), 2, 1 + unsigned(seed % 3), true, seed % 2 == 0});
    for (ProblemOperation &operation : problem.operations) // a port and a unit at once
      if (seed % 5 == 0 && operation.uses == std::vector<unsigned>{1})
        operation.uses = {1, 0};
    Schedule schedule = llvm::cantFail(scheduleList(problem));
    auto [start, instance] = byTryingAll(problem);
    EXPECT_EQ(schedule.start, start) << "seed " << seed;
    EXPECT_EQ(schedule.instance, instance) << "seed " << seed;
  }
}

/// Everything waits behind one unit from the first cycle on.
TEST(ScheduleList, AQueueOfThousandsIsServedInOrder) {
  for (unsigned busy : {1u, 7u}) {
    Problem problem;
    problem.operatorTypes = {{"unit", 1, 1, 1}};
    problem.resources = {{"machine", 2}};
    for (unsigned o = 0; o < 30'000; ++o)
      problem.operations.push_back({"o" + std::to_string(o), 0, {0}, busy});
    Schedule schedule = llvm::cantFail(scheduleList(problem));
    for (unsigned o = 0; o < 30'000; ++o)
      ASSERT_EQ(schedule.start[o], o / 2 * busy);
  }
}

TEST(ScheduleList, AnEmptyProblemHasAnEmptySchedule) {
  EXPECT_EQ(llvm::cantFail(scheduleList(Problem())), Schedule());
  EXPECT_EQ(llvm::cantFail(scheduleModulo(Problem())).interval, 1u);
}

} // namespace
} // namespace spindle::hls
