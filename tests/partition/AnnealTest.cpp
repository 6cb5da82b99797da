// Halves and annealing: costs kept along the way are those counted from scratch.
#include "lib/partition/anneal/Anneal.h"

#include "lib/partition/Decompose.h"
#include "lib/partition/anneal/Bisect.h"
#include "lib/partition/anneal/TwoSides.h"
#include "tests/partition/RandomGraph.h"

#include "gtest/gtest.h"

#include <set>

using namespace spindle;

namespace {

/// Of nets that have ends on both sides.
int64_t cutOf(const Hypergraph &graph, const NetWeights &weights, const std::vector<char> &sideOf) {
  int64_t cut = 0;
  for (uint32_t net = 0; net < graph.nets(); ++net) {
    std::set<char> sides;
    for (VertexId reader : graph.readers[net])
      sides.insert(sideOf[reader]);
    if (graph.driver[net] != kNone)
      sides.insert(sideOf[graph.driver[net]]);
    cut += sides.size() == 2 ? weights[net] : 0;
  }
  return cut;
}

struct Case {
  SpikingGraph graph;
  Crossbar crossbar;
  Hypergraph hypergraph;
  NetWeights weights;

  Case(uint64_t seed, const RandomGraphShape &shape, uint32_t rows, uint32_t columns)
      : graph(randomGraph(seed, shape)) {
    crossbar.rows = rows;
    crossbar.columns = columns;
    hypergraph = buildHypergraph(graph, decompose(graph, crossbar));
    for (uint64_t spikes : hypergraph.spikes)
      weights.push_back(int64_t(spikes) + 1);
  }
};

TEST(TwoSides, CutIsThatCountedFromScratch) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    CounterRandom random(seed, 1);
    Case one(seed, {5, 2 + random.below(60), 9, seed % 2 == 0}, 100, 10);
    uint32_t vertices = one.hypergraph.vertices();
    TwoSides sides{std::vector<char>(vertices), {vertices / 2 + 1, vertices - vertices / 2}};
    for (VertexId v = 0; v < vertices; ++v)
      sides.sideOf[v] = char(v % 2);
    int64_t before = cutOf(one.hypergraph, one.weights, sides.sideOf);
    auto [excess, cut] = refineSides(one.hypergraph, one.weights, sides, random);
    EXPECT_EQ(excess, 0u) << "seed " << seed;
    EXPECT_EQ(cut, cutOf(one.hypergraph, one.weights, sides.sideOf)) << "seed " << seed;
    EXPECT_LE(cut, before) << "seed " << seed;
    EXPECT_LE(uint64_t(std::ranges::count(sides.sideOf, 0)), sides.capacities[0]);
  }
}

/// From the best of five beginnings, beside all halves of ten units.
TEST(TwoSides, ComesNearTheBestCut) {
  int64_t found = 0, least = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, 1);
    Case one(seed, {4, 10, 6, true}, 100, 10);
    int64_t best = INT64_MAX, bestFound = INT64_MAX;
    std::vector<char> sideOf(10);
    for (uint32_t mask = 0; mask < 1024; ++mask) {
      for (VertexId v = 0; v < 10; ++v)
        sideOf[v] = char(mask >> v & 1);
      if (std::ranges::count(sideOf, 0) == 5)
        best = std::min(best, cutOf(one.hypergraph, one.weights, sideOf));
    }
    for (int start = 0; start < 5; ++start) {
      TwoSides sides{std::vector<char>(10, 1), {5, 5}};
      for (uint32_t left = 5; left > 0;) {
        char &side = sides.sideOf[random.below(10)];
        left -= uint32_t(side);
        side = 0;
      }
      bestFound =
          std::min(bestFound, refineSides(one.hypergraph, one.weights, sides, random).second);
    }
    EXPECT_GE(bestFound, best) << "less than possible, seed " << seed;
    found += bestFound;
    least += best;
  }
  EXPECT_LE(double(found), 1.02 * double(least));
}

/// As few as columns ask for, also where their number is odd.
TEST(Halves, FillTheFewestClusters) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    uint32_t neurons = 20 + uint32_t(seed) * 7;
    Case one(seed, {6, neurons, 8, true}, 1000, 9);
    std::optional<Packing> packing = packByHalves(one.hypergraph, one.crossbar, seed);
    ASSERT_TRUE(packing) << "seed " << seed;
    EXPECT_EQ(packing->clusters(), (neurons + 8) / 9) << "seed " << seed;
  }
}

/// Where rows are few there may be no room for halves.
TEST(Halves, AreNothingWithoutRows) {
  Case one(1, {40, 60, 12, false}, 12, 30);
  EXPECT_FALSE(packByHalves(one.hypergraph, one.crossbar, 1));
}

TEST(Anneal, SavesWhatItSaysWithinTheLimits) {
  int64_t all = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, 2);
    Case one(seed, {5, 10 + random.below(80), 10, seed % 2 == 0}, 10 + random.below(30),
             3 + random.below(10));
    Packing packing = growPacking(one.hypergraph, one.crossbar);
    if (!canAnneal(packing))
      continue;
    int64_t before = packing.cost();
    int64_t saved = anneal(packing, 20'000, seed);
    EXPECT_EQ(before - packing.cost(), saved) << "seed " << seed;
    EXPECT_GE(saved, 0) << "seed " << seed;
    for (ClusterId c = 0; c < packing.clusters(); ++c) {
      EXPECT_LE(packing.members(c).size(), one.crossbar.columns) << "seed " << seed;
      std::set<uint32_t> rows;
      for (VertexId v : packing.members(c))
        rows.insert(one.hypergraph.pins[v].begin(), one.hypergraph.pins[v].end());
      EXPECT_LE(rows.size(), one.crossbar.rows) << "seed " << seed;
    }
    all += saved;
  }
  EXPECT_GT(all, 1000);
}

/// The slowest crossbar may take so long: never more, whatever is saved.
TEST(Anneal, KeepsLimitsOfWork) {
  int64_t all = 0, free = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, 4);
    Case one(seed, {5, 10 + random.below(80), 10, seed % 2 == 0}, 40, 3 + random.below(10));
    PackingRules rules(one.crossbar);
    rules.latency.rowReadCycles = {double(1 + random.below(5)), "test"};
    rules.latency.synapseCycles = {double(random.below(4)), "test"};
    rules.latency.neuronUpdateCycles = {double(1 + random.below(20)), "test"};
    rules.steps = 10;
    auto workIn = [&](const Packing &packing, ClusterId c) {
      CrossbarWork work;
      std::set<uint32_t> rows;
      for (VertexId v : packing.members(c)) {
        work += workOf(one.hypergraph, v, rules.steps);
        rows.insert(one.hypergraph.pins[v].begin(), one.hypergraph.pins[v].end());
      }
      work.rowReads = 0;
      for (uint32_t net : rows)
        work.rowReads += double(one.hypergraph.spikes[net]);
      return work;
    };
    Packing loose = growPacking(one.hypergraph, one.crossbar);
    for (ClusterId c = 0; c < loose.clusters(); ++c)
      rules.mostCycles =
          c == 0 ? workCycles(workIn(loose, c), rules.latency)
                 : std::max(rules.mostCycles, workCycles(workIn(loose, c), rules.latency));
    rules.mostCycles *= 0.7;
    bool allFit = true;
    for (VertexId v = 0; v < one.hypergraph.vertices(); ++v)
      allFit &= rules.allows(workOf(one.hypergraph, v, rules.steps));
    if (!allFit)
      continue;
    Packing packing = growPacking(one.hypergraph, rules);
    if (!canAnneal(packing))
      continue;
    int64_t before = packing.cost(), saved = anneal(packing, 20'000, seed);
    EXPECT_EQ(before - packing.cost(), saved) << "seed " << seed;
    EXPECT_GE(saved, 0) << "seed " << seed;
    for (ClusterId c = 0; c < packing.clusters(); ++c)
      EXPECT_LE(workCycles(workIn(packing, c), rules.latency), rules.mostCycles) << "seed " << seed;
    all += saved;
    free += before;
  }
  EXPECT_GT(all * 20, free); // a twentieth, in the whole
}

TEST(Anneal, IsTheSameAgain) {
  Case one(3, {5, 80, 10, true}, 20, 8);
  Packing first = growPacking(one.hypergraph, one.crossbar), second = first;
  anneal(first, 10'000, 7);
  anneal(second, 10'000, 7);
  EXPECT_EQ(first.assignment(), second.assignment());
}

} // namespace
