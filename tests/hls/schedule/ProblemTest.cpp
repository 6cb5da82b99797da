#include "hw/hls/schedule/problem/Problem.h"

#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

using ::testing::HasSubstr;

/// load -> mul -> add -> store, the sum of the last iteration goes into the add.
Problem exampleProblem() {
  Problem problem;
  problem.name = "dot";
  problem.clockPeriodNs = 10;
  problem.operatorTypes = {
      {"load", 1, 2, 3}, {"mul", 2, 4, 4}, {"add", 0, 3, 3}, {"store", 1, 2, 0}};
  problem.resources = {{"port", 1}, {"multiplier", 1}};
  problem.operations = {{"a", 0, {0}, 1}, {"m", 1, {1}, 1}, {"s", 2, {}, 1}, {"w", 3, {0}, 1}};
  problem.dependences = {{0, 1, 0, {}}, {1, 2, 0, {}}, {2, 2, 1, {}}, {2, 3, 0, {}}, {3, 0, 1, 1}};
  return problem;
}

TEST(Problem, AGoodOneHasNoFault) {
  EXPECT_EQ(faultOf(exampleProblem()), std::nullopt);
  EXPECT_EQ(faultOf(Problem()), std::nullopt);
}

TEST(Problem, LatenciesAndSpans) {
  Problem problem = exampleProblem();
  EXPECT_EQ(latencyOf(problem, 1), 2u);
  EXPECT_EQ(spanOf(problem, 1), 2u);
  EXPECT_EQ(spanOf(problem, 2), 1u); // combinational, but it has its cycle
  EXPECT_EQ(latencyOf(problem, problem.dependences[0]), 1u);
  problem.dependences[0].latency = 5;
  EXPECT_EQ(latencyOf(problem, problem.dependences[0]), 5u);
}

/// One thing made wrong, and what is said about it.
struct ProblemMistake {
  void (*make)(Problem &);
  const char *text;
};

TEST(Problem, EveryFaultIsNamed) {
  const ProblemMistake mistakes[] = {
      {[](Problem &p) { p.clockPeriodNs = 0; }, "the clock period is 0 ns, expected more than 0"},
      {[](Problem &p) { p.operatorTypes[1].delayInNs = 12; },
       "operator type 'mul' needs 12 ns within a cycle (delay in), but the clock period is 10 ns: "
       "take "
       "a slower clock or an operator with more stages"},
      {[](Problem &p) { p.operatorTypes[0].delayOutNs = 10.5; },
       "operator type 'load' needs 10.5 ns within a cycle (delay out)"},
      {[](Problem &p) { p.operatorTypes[1].delayInNs = -1; },
       "operator type 'mul' has delay in -1, expected a time of at least 0"},
      {[](Problem &p) { p.operatorTypes[2].delayOutNs = 1; },
       "operator type 'add' is combinational (latency 0) with delay in 3 and delay out 1, expected "
       "them to be equal"},
      {[](Problem &p) { p.operatorTypes[1].latency = 1u << 21; },
       "operator type 'mul' has latency 2097152, expected at most 1048576"},
      {[](Problem &p) { p.operations[1].type = 4; },
       "operation 'm' has operator type 4, but there are 4"},
      {[](Problem &p) { p.operations[1].busy = 0; },
       "operation 'm' is busy for 0 cycles, expected 1 to 65536"},
      {[](Problem &p) { p.operations[1].uses = {2}; },
       "operation 'm' uses resource 2, but there are 2"},
      {[](Problem &p) {
         p.operations[0].uses = {0, 0};
       },
       "operation 'a' uses 2 instances of resource 'port', which has 1"},
      {[](Problem &p) { p.resources[1].count = 0; },
       "operation 'm' uses 1 instances of resource 'multiplier', which has 0"},
      {[](Problem &p) { p.dependences[1].to = 9; },
       "dependence 1 leads to operation 9, but there are 4"},
      {[](Problem &p) { p.dependences[1].from = 4; },
       "dependence 1 leads from operation 4, but there are 4"},
      {[](Problem &p) { p.dependences[4].distance = 1u << 21; },
       "dependence 4 ('w' -> 'a') has distance 2097152 and latency 1, expected at most 1048576"},
      {[](Problem &p) { p.dependences[4].distance = 0; },
       "operations wait for each other in one iteration: "},
      {[](Problem &p) { p.dependences[2].distance = 0; },
       "operations wait for each other in one iteration: 's' -> 's'; a dependence of a later "
       "iteration needs a distance of at least 1"}};
  for (const ProblemMistake &mistake : mistakes) {
    Problem problem = exampleProblem();
    mistake.make(problem);
    std::string text = toText(verify(problem));
    EXPECT_THAT(text, HasSubstr(std::string("scheduling problem 'dot': error: ") + mistake.text));
  }
}

TEST(Problem, TheCircleOfOperationsIsWhole) {
  Problem problem = exampleProblem();
  problem.dependences[4].distance = 0;
  std::string text = toText(verify(problem));
  for (const char *step : {"'a' -> 'm'", "'m' -> 's'", "'s' -> 'w'", "'w' -> 'a'"})
    EXPECT_THAT(text, HasSubstr(step));
}

} // namespace
} // namespace spindle::hls
