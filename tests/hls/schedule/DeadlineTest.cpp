// Searches end when their time is over, with a schedule that holds.
#include "hw/hls/schedule/Algorithms.h"
#include "hw/hls/schedule/Schedulers.h"

#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

TEST(Deadline, TheModuloSearchEndsAtTheLatestWithoutOverlap) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Problem problem = randomLoop(seed, {20, 2, 1, true, true});
    ModuloOptions options;
    options.deadline = Deadline::in(0);
    Schedule over = llvm::cantFail(scheduleModulo(problem, options));
    EXPECT_EQ(faultOf(problem, over), std::nullopt);
    EXPECT_GT(over.interval, over.depth(problem));
    options.deadline = Deadline::in(1e12);
    EXPECT_EQ(llvm::cantFail(scheduleModulo(problem, options)),
              llvm::cantFail(scheduleModulo(problem)));
  }
}

TEST(Deadline, AnyMomentLeavesASchedule) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = randomLoop(seed, {60, 2, 1, true, true});
    ExactOptions options;
    options.seconds = double(seed) * 1e-4;
    options.limitsHeuristic = true;
    for (ScheduleAlgorithm algorithm : {ScheduleAlgorithm::Modulo, ScheduleAlgorithm::Exact})
      EXPECT_EQ(faultOf(problem, llvm::cantFail(scheduleBy(algorithm, problem, options)).schedule),
                std::nullopt);
  }
}

/// Resources that are taken for many cycles: a step of the search looks at thousands of them.
TEST(Deadline, LongReservationsDoNotOutlastIt) {
  for (unsigned busy : {1000u, 20'000u}) {
    Problem problem = randomLoop(7, {24, 2, 1, true, true});
    for (ProblemOperation &operation : problem.operations)
      operation.busy = operation.uses.empty() ? 1 : busy - unsigned(operation.name.size());
    ExactOptions options;
    options.seconds = 0.05;
    options.limitsHeuristic = true;
    for (ScheduleAlgorithm algorithm : {ScheduleAlgorithm::Modulo, ScheduleAlgorithm::Exact})
      EXPECT_EQ(faultOf(problem, llvm::cantFail(scheduleBy(algorithm, problem, options)).schedule),
                std::nullopt);
  }
}

} // namespace
} // namespace spindle::hls
