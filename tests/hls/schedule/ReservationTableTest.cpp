#include "hw/hls/schedule/problem/ReservationTable.h"

#include "core/support/CounterRandom.h"
#include "tests/hls/schedule/CellTable.h"
#include "gtest/gtest.h"

namespace spindle::hls {
namespace {

/// Operations that take one instance or two of the same or of different resources, for a cycle or
/// for several.
Problem randomUses(CounterRandom &random) {
  Problem problem;
  problem.operatorTypes = {{"unit", 1, 1, 1}};
  problem.resources = {{"port", 2 + random.below(3)}, {"unit", 1 + random.below(3)}, {"spare", 70}};
  const std::vector<unsigned> kinds[] = {{0}, {0}, {1}, {1}, {0, 0}, {0, 1}, {2}, {}};
  for (unsigned o = 0; o < 24; ++o)
    problem.operations.push_back({"o" + std::to_string(o), 0, kinds[random.below(8)],
                                  random.below(3) ? 1 : 1 + random.below(5)});
  return problem;
}

TEST(ReservationTable, FindsWhatLookingAtEveryCellFinds) {
  unsigned found = 0, absent = 0, late = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    CounterRandom random(seed);
    Problem problem = randomUses(random);
    unsigned interval = seed % 3 ? 3 + random.below(10) : 0;
    ReservationTable table(problem, interval);
    CellTable cells(problem, interval);
    std::vector<std::optional<ReservationTable::Start>> placed(problem.operations.size());
    for (unsigned step = 0; step < 200; ++step) {
      unsigned o = random.below(uint32_t(placed.size()));
      if (placed[o]) {
        table.remove(o, placed[o]->cycle, placed[o]->instances);
        cells.remove(o);
        placed[o].reset();
        continue;
      }
      int64_t first = int64_t(random.below(20)) - (interval ? 10 : 0);
      int64_t end = first + random.below(16);
      for (int64_t cycle = first; cycle < end && !placed[o]; ++cycle) {
        auto instances = cells.find(o, cycle);
        ASSERT_EQ(table.find(o, cycle), instances) << "seed " << seed << ", step " << step;
        if (instances)
          placed[o] = ReservationTable::Start{cycle, *instances};
      }
      ASSERT_EQ(table.findFrom(o, first, end), placed[o]) << "seed " << seed << ", step " << step;
      ++(placed[o] ? found : absent);
      if (!placed[o])
        continue;
      late += placed[o]->cycle > first;
      table.place(o, placed[o]->cycle, placed[o]->instances);
      cells.place(o, placed[o]->cycle, placed[o]->instances);
    }
  }
  EXPECT_GT(found, 3000u);
  EXPECT_GT(absent, 500u);
  EXPECT_GT(late, 500u);
}

TEST(ReservationTable, KnowsWhoTakesWhat) {
  Problem problem;
  problem.operatorTypes = {{"unit", 1, 1, 1}};
  problem.resources = {{"port", 2}};
  problem.operations = {{"a", 0, {0}, 2}, {"b", 0, {0}, 1}};
  ReservationTable table(problem, 4);
  table.place(0, 3, {1});
  EXPECT_EQ(table.occupant(0, 1, 0), 0);
  EXPECT_EQ(table.occupant(0, 1, -1), 0);
  EXPECT_EQ(table.occupant(0, 0, 3), ReservationTable::free);
  EXPECT_EQ(table.occupant(0, 1, 2), ReservationTable::free);
  table.place(1, 0, {0});
  EXPECT_EQ(table.findFrom(1, 0, 4), (ReservationTable::Start{1, {0}}));
  EXPECT_EQ(table.findFrom(1, 0, 1), std::nullopt);
}

} // namespace
} // namespace spindle::hls
