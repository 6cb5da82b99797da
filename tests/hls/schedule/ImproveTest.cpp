#include "hw/hls/schedule/Improve.h"

#include "hw/hls/schedule/Schedulers.h"
#include "tests/hls/schedule/RandomLoop.h"
#include "gtest/gtest.h"

namespace spindle::hls {
namespace {

/// A constant that is used late is made late; a load whose value waits instead of two inputs comes
/// early.
TEST(Improve, ValuesWaitWhereFewDo) {
  Problem problem;
  problem.operatorTypes = {{"unit", 1, 1, 1}, {"slow", 6, 1, 1}};
  problem.operations = {{"x", 0, {}, 1}, {"far", 1, {}, 1}, {"sum", 0, {}, 1}};
  problem.dependences = {{0, 2, 0, {}}, {1, 2, 0, {}}};
  Schedule schedule = llvm::cantFail(scheduleList(problem));
  EXPECT_EQ(schedule.start[0], 0u);
  EXPECT_EQ(lifetimesOf(problem, schedule), 5u);
  Precedences precedences = precedencesOf(problem);
  Placement placement(problem, precedences, schedule);
  shortenLifetimes(problem, placement);
  schedule = llvm::cantFail(placement.finish());
  EXPECT_EQ(schedule.start[0], 5u);
  EXPECT_EQ(lifetimesOf(problem, schedule), 0u);
}

TEST(Improve, NeitherDepthNorLifetimesGrow) {
  unsigned shorter = 0, earlier = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = randomLoop(seed, {30, 2});
    Precedences precedences = precedencesOf(problem);
    Schedule list = llvm::cantFail(scheduleList(problem));
    // Spread out, so that there is something to pull.
    for (unsigned &start : list.start)
      start *= 3;
    list.offsetNs = chainOffsets(problem, list.start, 0);
    Placement placement(problem, precedences, list);
    pullForward(problem, placement);
    Schedule pulled = llvm::cantFail(placement.finish());
    EXPECT_LE(pulled.depth(problem), list.depth(problem));
    uint64_t longest = lifetimesOf(problem, pulled);
    shortenLifetimes(problem, placement);
    Schedule after = llvm::cantFail(placement.finish());
    EXPECT_LE(after.depth(problem), pulled.depth(problem));
    EXPECT_LE(lifetimesOf(problem, after), longest);
    earlier += pulled.depth(problem) < list.depth(problem);
    shorter += lifetimesOf(problem, after) < longest;
  }
  EXPECT_GT(earlier, 90u);
  EXPECT_GT(shorter, 50u);
}

} // namespace
} // namespace spindle::hls
