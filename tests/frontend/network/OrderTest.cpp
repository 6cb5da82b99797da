#include "lib/frontend/network/Order.h"

#include "gmock/gmock.h"

#include <random>

using namespace spindle;
using namespace spindle::network;
using testing::ElementsAre;
using testing::StartsWith;

namespace {

Description describe(size_t populations, const std::vector<std::array<size_t, 3>> &projections) {
  Description description;
  description.dtMs = 0.5;
  description.populations.resize(populations);
  for (auto [source, target, delay] : projections) {
    Projection projection;
    projection.name = "p" + std::to_string(description.projections.size());
    projection.source = source;
    projection.target = target;
    projection.delay = int64_t(delay);
    description.projections.push_back(projection);
  }
  return description;
}

/// Whether one population reaches another, by trying all ways (Warshall 1962).
std::vector<std::vector<bool>> reachesOf(const Description &description) {
  size_t count = description.populations.size();
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
  for (const Projection &projection : description.projections)
    reaches[projection.source][projection.target] = true;
  for (size_t middle = 0; middle < count; ++middle)
    for (size_t from = 0; from < count; ++from)
      for (size_t to = 0; to < count; ++to)
        reaches[from][to] = reaches[from][to] || (reaches[from][middle] && reaches[middle][to]);
  return reaches;
}

TEST(Order, IsTheFirstOfTheFileInWhichSpikesFlowDown) {
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    size_t count = 1 + random() % 7;
    std::vector<std::array<size_t, 3>> projections(random() % 10);
    for (auto &[source, target, delay] : projections)
      source = random() % count, target = random() % count, delay = random() % 3;
    Description description = describe(count, projections);
    auto reaches = reachesOf(description);
    std::vector<bool> feedsBack;
    for (auto [source, target, delay] : projections)
      feedsBack.push_back(delay > 0 && reaches[target][source]);
    std::vector<size_t> expected;
    auto isReady = [&](size_t population) {
      for (size_t p = 0; p < projections.size(); ++p)
        if (projections[p][1] == population && !feedsBack[p] &&
            std::ranges::find(expected, projections[p][0]) == expected.end())
          return false;
      return std::ranges::find(expected, population) == expected.end();
    };
    for (size_t next = 0; next < count; ++next)
      if (isReady(next)) {
        expected.push_back(next);
        next = size_t(-1); // again from the first one
      }
    auto order = orderPopulations(description, "n.yaml");
    if (expected.size() < count) {
      ++refused;
      ASSERT_FALSE(bool(order));
      EXPECT_THAT(toText(order.takeError()),
                  StartsWith("n.yaml: error: projections without delay make a cycle: p"));
      continue;
    }
    ASSERT_TRUE(bool(order)) << toText(order.takeError());
    EXPECT_EQ(order->populations, expected);
    EXPECT_EQ(order->feedsBack, feedsBack);
  }
  EXPECT_GT(refused, 20);
}

TEST(Order, CyclesWithoutDelayAreNamed) {
  EXPECT_EQ(
      toText(orderPopulations(describe(4, {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {3, 3, 0}}), "n.yaml")
                 .takeError()),
      "n.yaml: error: projections without delay make a cycle: p1, p2, p3; give one of them a "
      "delay of at least dt, 0.5 ms");
  EXPECT_THAT(
      llvm::cantFail(orderPopulations(describe(3, {{2, 0, 0}, {0, 2, 1}}), "n")).populations,
      ElementsAre(1, 2, 0));
}

TEST(Order, LargeRingsAreOrderedAtOnce) {
  std::vector<std::array<size_t, 3>> ring;
  for (size_t from = 0; from < 20'000; ++from)
    ring.push_back({from, (from + 1) % 20'000, 1});
  Order order = llvm::cantFail(orderPopulations(describe(20'000, ring), "n"));
  EXPECT_EQ(order.populations.size(), 20'000u);
  EXPECT_EQ(std::ranges::count(order.feedsBack, true), 20'000);
}

} // namespace
