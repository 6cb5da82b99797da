// Rows of random connections against their definition, number by number.
#include "core/network/RandomRows.h"
#include "core/support/CounterRandom.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace spindle;

namespace {

/// As the description of snn.random says, candidate by candidate.
std::vector<int32_t> definition(const RandomRows &rule, int64_t target) {
  std::vector<int32_t> candidates, row;
  for (int64_t source = rule.sources.begin; source < rule.sources.end; ++source)
    if (!rule.avoidsSelf || source != target)
      candidates.push_back(int32_t(source));
  double skip = 0;
  uint32_t drawn = 0;
  PhiloxKey key{uint32_t(rule.key), uint32_t(rule.key >> 32)};
  auto draw = [&] {
    uint32_t word = philox({drawn / 4, 0, 0, uint32_t(target)}, key)[drawn % 4];
    ++drawn;
    skip = std::floor(std::log(1 - word * 0x1p-32) * (1 / std::log1p(-rule.probability)));
  };
  draw();
  for (int32_t candidate : candidates) {
    if (skip == 0) {
      row.push_back(candidate);
      draw();
    } else {
      skip -= 1;
    }
  }
  return row;
}

std::vector<int32_t> rowOf(const RandomRows &rule, int64_t target) {
  std::vector<int32_t> row;
  rule.append(target, row);
  return row;
}

} // namespace

TEST(RandomRows, AreThoseOfTheDefinition) {
  for (double p : {1e-5, 1e-3, 0.02, 0.1, 0.5, 0.9, 0.999, 1.0})
    for (bool avoidsSelf : {false, true}) {
      RandomRows rule{0x123456789abcdefull, p, {}, {3, 1203}, {10, 300}, avoidsSelf};
      for (int64_t target = 10; target < 300; ++target)
        ASSERT_EQ(rowOf(rule, target), definition(rule, target)) << p << " " << target;
    }
}

/// Numbers next to the borders between two distances are the ones that a fast logarithm gets wrong.
TEST(RandomRows, AreThoseOfTheDefinitionInLargeNetworks) {
  RandomRows rule{42, 0.02, {}, {0, 400000}, {0, 200}, false};
  for (int64_t target = 0; target < 200; ++target)
    ASSERT_EQ(rowOf(rule, target), definition(rule, target)) << target;
}

/// Distances that no float and no 32 bits hold.
TEST(RandomRows, AreThoseOfTheDefinitionWhereHardlyAnyIsJoined) {
  constexpr int64_t kSources = (int64_t(1) << 31) - 1;
  for (double p : {1e-300, 1e-10, 1e-8, 1.4e-8, 1.6e-8, 1e-7, 1e-6}) {
    RandomRows rule{7, p, {}, {0, kSources}, {0, 20}, false};
    for (int64_t target = 0; target < 20; ++target) {
      std::vector<int32_t> expected;
      double at = 0;
      for (uint32_t drawn = 0;; ++drawn, ++at) {
        uint32_t word = philox({drawn / 4, 0, 0, uint32_t(target)}, {7, 0})[drawn % 4];
        at += std::floor(std::log(1 - word * 0x1p-32) * (1 / std::log1p(-p)));
        if (at >= kSources)
          break;
        expected.push_back(int32_t(at));
      }
      ASSERT_EQ(rowOf(rule, target), expected) << p << " " << target;
    }
  }
}

TEST(RandomRows, AreEmptyWhereNothingIsJoined) {
  RandomRows rule{1, 0, {}, {0, 100}, {0, 100}, false};
  EXPECT_TRUE(rowOf(rule, 5).empty());
  rule.probability = 1;
  EXPECT_EQ(rowOf(rule, 5).size(), 100u);
  EXPECT_TRUE(rowOf(rule, 100).empty());
  rule.fanIn = 0;
  EXPECT_TRUE(rowOf(rule, 5).empty());
}

TEST(RandomRows, AppendAndKeepWhatIsThere) {
  RandomRows rule{1, 0, 4, {0, 9}, {0, 9}, true};
  std::vector<int32_t> row{77};
  rule.append(3, row);
  ASSERT_EQ(row.size(), 5u);
  EXPECT_EQ(row.front(), 77);
  for (size_t k = 1; k < 5; ++k) {
    EXPECT_NE(row[k], 3);
    EXPECT_TRUE(k == 1 || row[k - 1] < row[k]);
  }
}
