// Buffers against throughput, beside all distributions of small graphs and an execution that claims
// places itself.
#include "lib/sdf/StorageFront.h"

#include "lib/sdf/BoundedChannels.h"
#include "lib/sdf/Repetitions.h"
#include "tests/sdf/PublishedGraphs.h"
#include "tests/sdf/RandomSdf.h"
#include "gmock/gmock.h"

#include <functional>
#include <map>

namespace spindle {
namespace {

using testing::ElementsAre;

StorageFront frontOf(const SdfGraph &graph, uint64_t limit = 100'000) {
  return llvm::cantFail(storageFront(graph, {}, limit));
}

/// Self-timed, time unit by time unit: a firing that starts takes its tokens and its places, one
/// that ends gives both. Times are above zero. Time per iteration once the state returns; nothing
/// where all wait.
std::optional<double> executedPeriod(const SdfGraph &graph, const std::vector<uint64_t> &capacities,
                                     const std::vector<uint64_t> &repetitions) {
  struct State {
    std::vector<uint64_t> tokens, places;
    std::vector<std::vector<uint64_t>> running; // per actor, time left
    auto operator<=>(const State &) const = default;
  } state;
  for (size_t c = 0; c < graph.channels.size(); ++c) {
    state.tokens.push_back(graph.channels[c].initialTokens);
    state.places.push_back(capacities[c] - std::min(capacities[c], state.tokens.back()));
  }
  state.running.resize(graph.actors.size());
  auto isBounded = [&](size_t c) { return capacities[c] > 0; };
  std::map<State, std::pair<uint64_t, uint64_t>> met; // time, ends of actor 0
  uint64_t ends = 0;
  for (uint64_t now = 0;; ++now) {
    for (bool isStarting = true; isStarting;) {
      isStarting = false;
      for (ActorId a = 0; a < graph.actors.size(); ++a) {
        bool mayStart = true;
        for (size_t c = 0; c < graph.channels.size(); ++c) {
          const SdfChannel &channel = graph.channels[c];
          mayStart &= channel.target != a || state.tokens[c] >= channel.consume[0];
          mayStart &= channel.source != a || !isBounded(c) || state.places[c] >= channel.produce[0];
        }
        if (!mayStart)
          continue;
        isStarting = true;
        state.running[a].push_back(graph.actors[a].executionTime[0]);
        for (size_t c = 0; c < graph.channels.size(); ++c) {
          if (graph.channels[c].target == a)
            state.tokens[c] -= graph.channels[c].consume[0];
          if (graph.channels[c].source == a && isBounded(c))
            state.places[c] -= graph.channels[c].produce[0];
        }
      }
    }
    if (std::all_of(state.running.begin(), state.running.end(),
                    [](const auto &each) { return each.empty(); }))
      return std::nullopt;
    auto [at, isNew] = met.try_emplace(state, now, ends);
    if (!isNew && ends > at->second.second)
      return double(now - at->second.first) * double(repetitions[0]) /
             double(ends - at->second.second);
    for (ActorId a = 0; a < graph.actors.size(); ++a)
      for (size_t k = 0; k < state.running[a].size();) {
        if (--state.running[a][k] > 0) {
          ++k;
          continue;
        }
        state.running[a].erase(state.running[a].begin() + ptrdiff_t(k));
        ends += a == 0;
        for (size_t c = 0; c < graph.channels.size(); ++c) {
          if (graph.channels[c].source == a)
            state.tokens[c] += graph.channels[c].produce[0];
          if (graph.channels[c].target == a && isBounded(c))
            state.places[c] += graph.channels[c].consume[0];
        }
      }
  }
}

SdfGraph oneAtATime(SdfGraph graph) {
  for (ActorId a = 0; a < graph.actors.size(); ++a)
    graph.channels.push_back({a, a, 1, 1, 1, 0});
  return graph;
}

/// a makes 2 in 1 unit, b takes 3 in 2 units, each one firing at a time (Stuijk, Geilen & Basten
/// 2006, figure 1, without its third actor).
TEST(StorageFront, OfTwoActorsByHand) {
  SdfGraph graph = oneAtATime({"g", {{"a", 1}, {"b", 2}}, {{0, 1, 2, 3, 0, 0}}});
  StorageFront front = frontOf(graph);
  EXPECT_TRUE(front.isComplete);
  ASSERT_FALSE(front.points.empty());
  // Four places: a a, then b alone: 1 + 1 + 2, and once more with what was left.
  EXPECT_EQ(front.points.front().tokens, 4u);
  EXPECT_EQ(front.points.back().period, (CycleRatio{4, 1})); // b twice
  EXPECT_THAT(front.points.back().capacities, ElementsAre(front.points.back().tokens, 0, 0));
}

/// The examples of SDF3 on its smallest graph: buffers of 32 tokens together give 1/96.
TEST(StorageFront, PublishedSizesAreReproduced) {
  std::string path = publishedGraph("LeNet-MNIST.xml");
  if (path.empty())
    GTEST_SKIP() << "test data absent: sdf/LeNet-MNIST.xml (set SPINDLE_DATA)";
  StorageFront front = frontOf(llvm::cantFail(readSdfGraph(path)), 20'000);
  EXPECT_TRUE(front.isComplete);
  EXPECT_EQ(front.points.front().tokens, 32u);
  EXPECT_EQ(front.points.front().period, (CycleRatio{96, 1}));
  EXPECT_EQ(front.points.back().period, (CycleRatio{16, 1})); // SDF3's without bounds
}

/// All distributions up to the largest of the front, each executed.
TEST(StorageFront, EqualsAllDistributionsOfSmallGraphs) {
  uint32_t compared = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    RandomSdf random = randomSdf(seed, 2, 2);
    random.graph.channels.resize(2 + seed % 2);
    for (SdfActor &actor : random.graph.actors)
      actor.executionTime = 1 + actor.executionTime.total() % 4;
    SdfGraph graph = oneAtATime(random.graph);
    std::vector<uint64_t> repetitions = llvm::cantFail(repetitionVector(graph));
    StorageFront front = frontOf(graph);
    ASSERT_TRUE(front.isComplete);
    uint64_t most = front.points.back().tokens;
    if (most > 24)
      continue;
    ++compared;
    std::map<uint64_t, double> best; // by tokens
    std::vector<uint64_t> capacities(graph.channels.size(), 0);
    std::function<void(size_t, uint64_t)> choose = [&](size_t c, uint64_t left) {
      while (c < graph.channels.size() && graph.channels[c].source == graph.channels[c].target)
        ++c;
      if (c == graph.channels.size()) {
        if (auto period = executedPeriod(graph, capacities, repetitions)) {
          auto [at, isNew] = best.try_emplace(most - left, *period);
          at->second = std::min(at->second, *period);
        }
        return;
      }
      for (capacities[c] = std::max<uint64_t>(graph.channels[c].initialTokens, 1);
           capacities[c] <= left; ++capacities[c])
        choose(c + 1, left - capacities[c]);
    };
    choose(0, most);
    std::vector<std::pair<uint64_t, double>> expected, found;
    for (auto [tokens, period] : best)
      if (expected.empty() || period < expected.back().second - 1e-9)
        expected.emplace_back(tokens, period);
    for (const StoragePoint &point : front.points)
      found.emplace_back(point.tokens, point.period.value());
    ASSERT_EQ(found.size(), expected.size()) << "seed " << seed;
    for (size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].first, expected[k].first) << "seed " << seed;
      EXPECT_NEAR(found[k].second, expected[k].second, 1e-9) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 20u);
}

TEST(StorageFront, EndsAtTheLimit) {
  SdfGraph graph = oneAtATime(randomSdf(3, 4, 4).graph);
  StorageFront all = frontOf(graph), first = frontOf(graph, 2);
  EXPECT_TRUE(all.isComplete);
  EXPECT_GT(all.distributions, 2u);
  EXPECT_FALSE(first.isComplete);
  EXPECT_EQ(first.distributions, 2u);
}

// Alone each actor repeats one firing, with bounds between them all 1,999.
TEST(StorageFront, SaysWhenBoundsMakeACycleTooLong) {
  SdfGraph graph{
      "g", {{"a", 2}, {"b", 3}}, {{0, 0, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}, {0, 1, 1000, 999, 0, 0}}};
  SdfOptions options;
  options.maximumFirings = 50;
  EXPECT_EQ(toText(storageFront(graph, options, 10).takeError()),
            "data-flow graph 'g': error: with bounded channels more than 50 firings decide the "
            "throughput; choose rates with common factors or raise maximum_firings");
}

} // namespace
} // namespace spindle
