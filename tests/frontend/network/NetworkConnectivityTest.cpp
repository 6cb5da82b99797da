// Properties of the connections that network files ask for.
#include "lib/frontend/network/Connectivity.h"
#include "lib/frontend/network/Values.h"

#include "gmock/gmock.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace spindle::network;
using testing::ElementsAre;

namespace {

Ends square(int64_t neurons, bool avoidsSelf = false) {
  return {{0, neurons}, {0, neurons}, neurons, avoidsSelf};
}

std::vector<int32_t> rowOf(const Rows &rows, size_t target) {
  return {rows.sources.begin() + rows.offsets[target],
          rows.sources.begin() + rows.offsets[target + 1]};
}

/// Compressed rows of these ends, each source once and ascending.
void expectProper(const Rows &rows, const Ends &ends) {
  ASSERT_EQ(rows.offsets.size(), size_t(ends.targetCount) + 1);
  ASSERT_EQ(rows.offsets.back(), int64_t(rows.sources.size()));
  for (int64_t target = 0; target < ends.targetCount; ++target) {
    std::vector<int32_t> row = rowOf(rows, size_t(target));
    ASSERT_TRUE(ends.targets.contains(target) || row.empty());
    for (size_t k = 0; k < row.size(); ++k) {
      ASSERT_TRUE(ends.sources.contains(row[k]));
      ASSERT_FALSE(ends.avoidsSelf && row[k] == target);
      ASSERT_TRUE(k == 0 || row[k - 1] < row[k]);
    }
  }
}

/// Within five deviations of the binomial distribution.
void expectBinomial(double count, double trials, double probability) {
  EXPECT_NEAR(count, trials * probability, 5 * std::sqrt(trials * probability * (1 - probability)));
}

} // namespace

TEST(NetworkConnectivity, RandomConnectionsAreBinomial) {
  for (double p : {0.0, 1e-4, 0.02, 0.5, 0.97, 1.0})
    for (const Ends &ends :
         {square(1000), square(1000, true), Ends{{100, 900}, {500, 1000}, 1500, false},
          Ends{{100, 900}, {500, 1000}, 1500, true}}) {
      Rows rows = connect(WithProbability{p}, ends, 7, "a-b");
      expectProper(rows, ends);
      int64_t self = 0;
      for (int64_t n = 0; n < 1500 && ends.avoidsSelf; ++n)
        self += ends.sources.contains(n) && ends.targets.contains(n);
      double candidates = double(ends.sources.size() * ends.targets.size() - self);
      expectBinomial(double(rows.sources.size()), candidates, p);
    }
}

TEST(NetworkConnectivity, EverySourceIsAsLikelyAsAnother) {
  constexpr int64_t kNeurons = 50;
  for (const Rule &rule : {Rule(WithProbability{0.1}), Rule(FanIn{5}), Rule(FanOut{5})}) {
    std::vector<double> pairs(kNeurons * kNeurons);
    for (uint64_t seed = 0; seed < 1000; ++seed) {
      Rows rows = connect(rule, square(kNeurons), seed, "a-b");
      for (size_t target = 0; target < kNeurons; ++target)
        for (int32_t source : rowOf(rows, target))
          ++pairs[target * kNeurons + size_t(source)];
    }
    double squares = 0; // chi squared: one for each pair
    for (double count : pairs) {
      EXPECT_NEAR(count, 100, 6 * std::sqrt(90.0));
      squares += (count - 100) * (count - 100) / 90;
    }
    EXPECT_NEAR(squares, double(pairs.size()), 5 * std::sqrt(2.0 * double(pairs.size())));
  }
}

TEST(NetworkConnectivity, RowsDependOnSeedAndNameOnly) {
  Ends ends = square(300);
  for (const Rule &rule : {Rule(WithProbability{0.05}), Rule(FanIn{20})}) {
    Rows whole = connect(rule, ends, 1, "a-b");
    EXPECT_EQ(connect(rule, ends, 1, "a-b"), whole);
    EXPECT_NE(connect(rule, ends, 2, "a-b"), whole);
    EXPECT_NE(connect(rule, ends, 1, "a-c"), whole);
    Ends part{{0, 300}, {100, 120}, 300, false}; // made alone, a row is the same
    Rows some = connect(rule, part, 1, "a-b");
    for (size_t target = 100; target < 120; ++target)
      EXPECT_EQ(rowOf(some, target), rowOf(whole, target));
  }
}

TEST(NetworkConnectivity, FanInAndFanOutAreExact) {
  for (bool avoidsSelf : {false, true})
    for (int64_t count : {0, 1, 30, 99, 100}) {
      if (avoidsSelf && count == 100)
        continue;
      Ends ends = square(100, avoidsSelf);
      Rows in = connect(FanIn{count}, ends, 3, "a-b"), out = connect(FanOut{count}, ends, 3, "a-b");
      expectProper(in, ends);
      expectProper(out, ends);
      std::vector<int64_t> fanOut(100);
      for (size_t target = 0; target < 100; ++target)
        EXPECT_EQ(rowOf(in, target).size(), size_t(count));
      for (int32_t source : out.sources)
        ++fanOut[size_t(source)];
      EXPECT_THAT(fanOut, testing::Each(count));
    }
}

TEST(NetworkConnectivity, FixedRules) {
  Rows all = connect(AllToAll{}, {{1, 4}, {2, 4}, 4, true}, 1, "");
  EXPECT_THAT(all.offsets, ElementsAre(0, 0, 0, 2, 4));
  EXPECT_THAT(all.sources, ElementsAre(1, 3, 1, 2));
  Rows one = connect(OneToOne{}, {{5, 7}, {0, 2}, 3, false}, 1, "");
  EXPECT_THAT(one.offsets, ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(one.sources, ElementsAre(5, 6));
  Rows pairs = connect(Pairs{{2, 0, 1, 3}, {1, 1, 0, 1}}, square(4), 1, "");
  EXPECT_THAT(pairs.offsets, ElementsAre(0, 1, 4, 4, 4));
  EXPECT_THAT(pairs.sources, ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(pairs.pairs, ElementsAre(2, 1, 0, 3));
}

TEST(NetworkValues, AreDrawnFromTheirDistributions) {
  constexpr size_t kCount = 100000;
  auto moments = [](const std::vector<double> &x) {
    double mean = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size()), square = 0;
    for (double value : x)
      square += (value - mean) * (value - mean);
    return std::pair(mean, std::sqrt(square / double(x.size())));
  };
  std::vector<double> uniform =
      numbersOf({Values::Kind::Uniform, {-60, -50}}, kCount, 1, "cells.initial_membrane");
  for (double value : uniform)
    ASSERT_TRUE(-60 <= value && value < -50);
  auto [mean, deviation] = moments(uniform);
  EXPECT_NEAR(mean, -55, 5 * 10 / std::sqrt(12.0 * kCount));
  EXPECT_NEAR(deviation, 10 / std::sqrt(12.0), 0.05);
  auto [centre, spread] = moments(numbersOf({Values::Kind::Normal, {3, 2}}, kCount, 1, "x"));
  EXPECT_NEAR(centre, 3, 5 * 2 / std::sqrt(double(kCount)));
  EXPECT_NEAR(spread, 2, 5 * 2 / std::sqrt(2.0 * kCount));
  EXPECT_NE(numbersOf({Values::Kind::Uniform, {0, 1}}, 3, 1, "x"),
            numbersOf({Values::Kind::Uniform, {0, 1}}, 3, 1, "y"));
}
