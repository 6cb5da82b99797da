#include "hw/hls/schedule/bounds/Bounds.h"

#include "tests/hls/schedule/RandomLoop.h"
#include "gmock/gmock.h"

#include <functional>

namespace spindle::hls {
namespace {

TEST(Bounds, NamesTheCircleAndTheResource) {
  Problem problem;
  problem.operatorTypes = {{"access", 1, 1, 1}, {"addf", 4, 1, 1}};
  problem.resources = {{"port", 2}, {"adder", 1}};
  problem.operations = {
      {"load_x", 0, {0}, 1}, {"load_y", 0, {0}, 1}, {"sum", 1, {1}, 1}, {"store_y", 0, {0}, 1}};
  problem.dependences = {{0, 2, 0, {}}, {1, 2, 0, {}}, {2, 3, 0, {}}, {3, 1, 2, 1}};
  Bounds bounds = boundsOf(problem);
  EXPECT_EQ(bounds.recurrence, 3u);
  EXPECT_EQ(recurrenceText(problem, bounds),
            "recurrence 3: load_y -> sum -> store_y -> load_y (latency 6, distance 2)");
  EXPECT_EQ(bounds.resource, 2u);
  EXPECT_EQ(resourceText(problem, bounds), "resource 2: port (3 cycles on 2 instances)");
  EXPECT_EQ(bounds.interval(), 3u);
}

TEST(Bounds, AnOperationThatIsBusyForLongBoundsAlone) {
  Problem problem;
  problem.operatorTypes = {{"divf", 20, 1, 1}};
  problem.resources = {{"divider", 4}};
  problem.operations = {{"quotient", 0, {0}, 6}};
  EXPECT_EQ(resourceText(problem, boundsOf(problem)),
            "resource 6: divider (6 cycles on 4 instances)");
}

TEST(Bounds, NothingNeedsMoreThanOne) {
  Problem problem;
  Bounds bounds = boundsOf(problem);
  EXPECT_EQ(recurrenceText(problem, bounds), "recurrence 1");
  EXPECT_EQ(resourceText(problem, bounds), "resource 1");
}

/// A circle of two multiply-adds of 6 ns each: 12 ns do not fit into a cycle of 10.
TEST(Bounds, ChainsOfDelaysBoundTheRecurrence) {
  Problem problem;
  problem.operatorTypes = {{"op", 0, 6, 6}};
  problem.operations = {{"a", 0, {}, 1}, {"b", 0, {}, 1}};
  problem.dependences = {{0, 1, 0, {}}, {1, 0, 1, {}}};
  Bounds bounds = boundsOf(problem);
  EXPECT_EQ(bounds.recurrence, 2u);
  EXPECT_EQ(recurrenceText(problem, bounds), "recurrence 2: a -> b -> a (latency 2, distance 1)");
  problem.clockPeriodNs = 12;
  EXPECT_EQ(boundsOf(problem).recurrence, 1u);
}

/// The largest ceil(latency / distance) over all simple circles of dependences, without delays.
unsigned byEnumeration(const Problem &problem) {
  unsigned worst = 1;
  for (unsigned first = 0; first < problem.operations.size(); ++first) {
    std::vector<bool> onPath(problem.operations.size(), false);
    std::function<void(unsigned, unsigned, unsigned)> walk = [&](unsigned at, unsigned latency,
                                                                 unsigned distance) {
      for (const Dependence &d : problem.dependences) {
        if (d.from != at || d.to < first || onPath[d.to])
          continue;
        unsigned cycles = latency + latencyOf(problem, d), iterations = distance + d.distance;
        if (d.to == first) {
          worst = std::max(worst, (cycles + iterations - 1) / iterations);
          continue;
        }
        onPath[d.to] = true;
        walk(d.to, cycles, iterations);
        onPath[d.to] = false;
      }
    };
    walk(first, 0, 0);
  }
  return worst;
}

TEST(Bounds, RecurrenceEqualsEnumerationOfAllCircles) {
  unsigned above = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Problem problem = randomLoop(seed, {8 + unsigned(seed % 8), 1 + unsigned(seed % 4)});
    for (OperatorType &type : problem.operatorTypes)
      type.delayInNs = type.delayOutNs = 0;
    unsigned expected = byEnumeration(problem);
    Bounds bounds = boundsOf(problem);
    EXPECT_EQ(bounds.recurrence, expected);
    above += expected > 1;
    if (!bounds.circle.empty()) {
      EXPECT_EQ(bounds.recurrence,
                (bounds.circleLatency + bounds.circleDistance - 1) / bounds.circleDistance);
    }
  }
  EXPECT_GT(above, 150u);
}

} // namespace
} // namespace spindle::hls
