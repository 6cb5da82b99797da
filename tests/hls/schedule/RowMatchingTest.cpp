#include "hw/hls/schedule/bounds/RowMatching.h"

#include "core/support/CounterRandom.h"
#include "gtest/gtest.h"

#include <bit>

namespace spindle::hls {
namespace {

/// Hall 1935: there is a matching if and only if no set of operations has fewer cells than members.
TEST(RowMatching, EqualsHallsCondition) {
  unsigned matched = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    CounterRandom random(seed);
    std::vector<unsigned> free(4);
    for (unsigned &row : free)
      row = random.below(3);
    std::vector<std::vector<unsigned>> allowed(2 + random.below(4));
    for (std::vector<unsigned> &rows : allowed)
      for (unsigned row = 0; row < 4; ++row)
        if (random.below(2))
          rows.push_back(row);
    bool holds = true;
    for (unsigned set = 1; set < 1u << allowed.size(); ++set) {
      unsigned reached = 0, cells = 0;
      for (unsigned o = 0; o < allowed.size(); ++o)
        for (unsigned row : allowed[o])
          reached |= (set >> o & 1) << row;
      for (unsigned row = 0; row < 4; ++row)
        cells += reached >> row & 1 ? free[row] : 0;
      holds &= cells >= unsigned(std::popcount(set));
    }
    RowMatching matching(free);
    bool all = true;
    for (const std::vector<unsigned> &rows : allowed)
      all = all && matching.add(rows);
    EXPECT_EQ(all, holds) << "seed " << seed;
    matched += all;
  }
  EXPECT_GT(matched, 50u);
  EXPECT_LT(matched, 450u);
}

} // namespace
} // namespace spindle::hls
