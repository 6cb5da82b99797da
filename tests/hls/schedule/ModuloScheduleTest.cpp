#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"

#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

TEST(ModuloSchedule, ValidAndNotBelowTheBoundsOnRandomLoops) {
  unsigned atBound = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Problem problem = randomLoop(seed, {10 + unsigned(seed % 51), 1 + unsigned(seed % 3)});
    llvm::Expected<Schedule> schedule = scheduleModulo(problem);
    ASSERT_TRUE(bool(schedule)) << toText(schedule.takeError());
    EXPECT_EQ(toText(verify(problem, *schedule)), "");
    unsigned bound = boundsOf(problem).interval();
    EXPECT_GE(schedule->interval, bound);
    atBound += schedule->interval == bound;
  }
  RecordProperty("at_bound", static_cast<int>(atBound));
  EXPECT_GE(atBound, 480u);
}

TEST(ModuloSchedule, DividersAreTakenForSeveralCycles) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Problem problem = randomLoop(seed, {12 + unsigned(seed % 40), 2, 1, true, true});
    Schedule schedule = llvm::cantFail(scheduleModulo(problem));
    EXPECT_EQ(faultOf(problem, schedule), std::nullopt);
    unsigned dividers = unsigned(problem.operations.size() + 2) / 8;
    EXPECT_GE(schedule.interval, 3 * dividers);
  }
}

TEST(ModuloSchedule, TheSmallestIntervalIsKept) {
  Problem problem = randomLoop(3, {20, 1});
  Schedule schedule = llvm::cantFail(scheduleModulo(problem, {.smallestInterval = 17}));
  EXPECT_EQ(schedule.interval, 17u);
  EXPECT_EQ(faultOf(problem, schedule), std::nullopt);
}

/// Without a single placement it falls back on iterations that do not overlap.
TEST(ModuloSchedule, AlwaysEnds) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = randomLoop(seed, {30, 3, 1, true, true});
    Schedule schedule =
        llvm::cantFail(scheduleModulo(problem, {.placementsPerOperation = 0, .searchSteps = 0}));
    EXPECT_EQ(faultOf(problem, schedule), std::nullopt);
    EXPECT_GE(schedule.interval, schedule.depth(problem));
  }
}

/// Row by row: none but the first free ones are taken.
TEST(ModuloSchedule, ThousandsOfLoadsFillThePorts) {
  Problem problem;
  problem.operatorTypes = {{"load", 1, 1, 1}};
  problem.resources = {{"port", 2}};
  for (unsigned o = 0; o < 20'000; ++o)
    problem.operations.push_back({"o" + std::to_string(o), 0, {0}, 1});
  Schedule schedule = llvm::cantFail(scheduleModulo(problem));
  EXPECT_EQ(schedule.interval, 10'000u);
  for (unsigned o = 0; o < 20'000; ++o)
    ASSERT_EQ(schedule.start[o], o / 2);
}

TEST(ModuloSchedule, TwoRunsAreTheSame) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Problem problem = randomLoop(seed, {60, 3});
    EXPECT_EQ(llvm::cantFail(scheduleModulo(problem)), llvm::cantFail(scheduleModulo(problem)));
  }
}

TEST(ModuloSchedule, InvalidProblemsAreRefused) {
  Problem problem = randomLoop(0, {10, 1});
  problem.clockPeriodNs = 1;
  EXPECT_THAT(toText(scheduleModulo(problem).takeError()), ::testing::HasSubstr("slower clock"));
  EXPECT_THAT(toText(scheduleList(problem).takeError()), ::testing::HasSubstr("slower clock"));
  EXPECT_THAT(toText(scheduleAsap(problem).takeError()), ::testing::HasSubstr("slower clock"));
}

} // namespace
} // namespace spindle::hls
