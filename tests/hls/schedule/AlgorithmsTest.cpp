#include "hw/hls/schedule/Algorithms.h"

#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

Problem dot() {
  Problem problem;
  problem.name = "dot";
  problem.operatorTypes = {{"load", 1, 2, 3}, {"mulf", 3, 6, 4}, {"addf", 2, 6, 3}};
  problem.resources = {{"port", 1}, {"multiplier", 1}, {"unused", 4}};
  problem.operations = {{"a", 0, {0}, 1}, {"b", 0, {0}, 1}, {"p", 1, {1}, 1}, {"s", 2, {}, 1}};
  problem.dependences = {{0, 2, 0, {}}, {1, 2, 0, {}}, {2, 3, 0, {}}, {3, 3, 1, {}}};
  return problem;
}

TEST(Algorithms, ThePipelinedTextNamesBoundsAndRows) {
  ExactSchedule result = llvm::cantFail(scheduleBy(ScheduleAlgorithm::Exact, dot()));
  EXPECT_EQ(scheduleText(dot(), result), "interval  2 (proven minimal)\n"
                                         "bounds    recurrence 2: s -> s (latency 2, distance 1)\n"
                                         "          resource 2: port (2 cycles on 1 instance)\n"
                                         "depth     7 (proven minimal)\n"
                                         "registers 1 cycles in which values wait\n"
                                         "\n"
                                         "cycle  port  multiplier\n"
                                         "0      a     p\n"
                                         "1      b     .\n"
                                         "\n"
                                         "start  ns    operation  type  instances\n"
                                         "0      0.00  a          load  port.0\n"
                                         "1      0.00  b          load  port.0\n"
                                         "2      3.00  p          mulf  multiplier.0\n"
                                         "5      4.00  s          addf\n");
}

TEST(Algorithms, OthersKnowTheirBounds) {
  for (ScheduleAlgorithm algorithm : {ScheduleAlgorithm::List, ScheduleAlgorithm::Sdc}) {
    ExactSchedule result = llvm::cantFail(scheduleBy(algorithm, dot()));
    EXPECT_EQ(result.schedule.interval, 0u);
    EXPECT_FALSE(result.isDepthProven);
    EXPECT_EQ(result.depthBound, 6u); // 1 + 3 + 2, of which the loads make 7
    EXPECT_THAT(scheduleText(dot(), result),
                ::testing::StartsWith("interval  none, not pipelined\ndepth     7 (at least 6)\n"));
  }
  ExactSchedule result = llvm::cantFail(scheduleBy(ScheduleAlgorithm::Modulo, dot()));
  EXPECT_TRUE(result.isProven);
  EXPECT_EQ(result.lowerBound, 2u);
  EXPECT_THAT(toText(scheduleBy(ScheduleAlgorithm::Asap, dot()).takeError()),
              ::testing::HasSubstr("use list scheduling"));
}

TEST(Algorithms, WithoutResourcesThereIsNoTable) {
  Problem problem = dot();
  for (ProblemOperation &operation : problem.operations)
    operation.uses.clear();
  ExactSchedule result = llvm::cantFail(scheduleBy(ScheduleAlgorithm::Asap, problem));
  EXPECT_THAT(scheduleText(problem, result), ::testing::Not(::testing::HasSubstr("multiplier")));
}

} // namespace
} // namespace spindle::hls
