#include "lib/partition/packing/Packing.h"

#include "lib/partition/Decompose.h"
#include "lib/partition/refine/Coarsen.h"
#include "lib/partition/refine/Refine.h"
#include "tests/partition/RandomGraph.h"

#include "gtest/gtest.h"

#include <set>

using namespace spindle;

namespace {

/// Traffic and rows by their definitions.
int64_t recountCost(const Packing &packing, uint64_t &traffic) {
  const Hypergraph &graph = packing.hypergraph();
  traffic = 0;
  int64_t rows = 0;
  for (uint32_t net = 0; net < graph.nets(); ++net) {
    std::set<ClusterId> reading;
    for (VertexId v : graph.readers[net])
      if (packing.clusterOf(v) != kNone)
        reading.insert(packing.clusterOf(v));
    rows += int64_t(reading.size());
    if (graph.driver[net] != kNone)
      reading.erase(packing.clusterOf(graph.driver[net]));
    traffic += graph.spikes[net] * reading.size();
  }
  return 2 * int64_t(traffic) + rows;
}

void expectRecounted(const Packing &packing) {
  uint64_t traffic = 0;
  EXPECT_EQ(packing.cost(), recountCost(packing, traffic));
  EXPECT_EQ(packing.traffic(), traffic);
}

struct Fixture {
  SpikingGraph graph;
  Crossbar crossbar;
  std::vector<Unit> units;
  Hypergraph hypergraph;

  explicit Fixture(uint64_t seed) : graph(randomGraph(seed)) {
    crossbar.rows = 8;
    crossbar.columns = 5;
    units = decompose(graph, crossbar);
    hypergraph = buildHypergraph(graph, units);
  }
  Packing oneVertexPerCluster() const {
    Packing packing(hypergraph, crossbar);
    for (VertexId v = 0; v < hypergraph.vertices(); ++v)
      packing.place(v, packing.open());
    return packing;
  }
};

TEST(Packing, OffersSayWhatPlacingDoes) {
  uint32_t placed = 0, negative = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Fixture fixture(seed);
    CounterRandom random(seed, 1);
    Packing packing(fixture.hypergraph, fixture.crossbar);
    for (int i = 0; i < 6; ++i)
      packing.open();
    for (int step = 0; step < 400; ++step) {
      VertexId v = random.below(fixture.hypergraph.vertices());
      if (packing.clusterOf(v) != kNone) {
        packing.lift(v);
        expectRecounted(packing);
        continue;
      }
      for (const Offer &offer : std::vector<Offer>(packing.offers(v))) {
        Offer same = packing.offer(v, offer.cluster);
        EXPECT_EQ(same.newRows, offer.newRows);
        EXPECT_EQ(same.addedSpikes, offer.addedSpikes);
      }
      Offer offer = packing.offer(v, random.below(packing.clusters()));
      if (!packing.fits(v, offer))
        continue;
      int64_t traffic = int64_t(packing.traffic()), cost = packing.cost();
      packing.place(v, offer.cluster);
      EXPECT_EQ(int64_t(packing.traffic()) - traffic, offer.addedSpikes);
      EXPECT_EQ(packing.cost() - cost, offer.cost);
      expectRecounted(packing);
      ++placed;
      negative += offer.addedSpikes < 0;
    }
  }
  EXPECT_GT(placed, 1000u);
  EXPECT_GT(negative, 50u) << "no membrane came home";
}

TEST(Packing, FitsIsExactlyTheLimits) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Fixture fixture(seed);
    CounterRandom random(seed, 2);
    Packing packing(fixture.hypergraph, fixture.crossbar);
    ClusterId c = packing.open();
    std::set<uint32_t> rows;
    uint32_t columns = 0;
    for (int i = 0; i < 60; ++i) {
      VertexId v = random.below(fixture.hypergraph.vertices());
      if (packing.clusterOf(v) != kNone)
        continue;
      std::set<uint32_t> joined = rows;
      joined.insert(fixture.hypergraph.pins[v].begin(), fixture.hypergraph.pins[v].end());
      bool fits = joined.size() <= fixture.crossbar.rows && columns < fixture.crossbar.columns;
      ASSERT_EQ(packing.fits(v, packing.offer(v, c)), fits);
      if (!fits)
        continue;
      packing.place(v, c);
      rows = joined;
      ++columns;
      EXPECT_EQ(packing.freeRows(c), fixture.crossbar.rows - rows.size());
      EXPECT_EQ(packing.freeColumns(c), fixture.crossbar.columns - columns);
    }
  }
}

TEST(Refine, SavesWhatItSaysAndNeverCosts) {
  uint32_t saved = 0, dissolved = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Fixture fixture(seed);
    Packing packing = fixture.oneVertexPerCluster();
    uint32_t clusters = packing.clusters();
    dissolveClusters(packing);
    expectRecounted(packing);
    dissolved += clusters - packing.clusters();
    CounterRandom random(seed);
    for (int pass = 0; pass < 3; ++pass) {
      int64_t before = packing.cost();
      int64_t byMoves = moveVertices(packing);
      EXPECT_GE(byMoves, 0);
      EXPECT_EQ(packing.cost(), before - byMoves);
      expectRecounted(packing);
      int64_t byExchanges = exchangeVertices(packing, random);
      EXPECT_GE(byExchanges, 0);
      EXPECT_EQ(packing.cost(), before - byMoves - byExchanges);
      expectRecounted(packing);
      saved += byMoves + byExchanges > 0;
    }
    for (VertexId v = 0; v < fixture.hypergraph.vertices(); ++v)
      EXPECT_NE(packing.clusterOf(v), kNone);
  }
  EXPECT_GT(saved, 25u);
  EXPECT_GT(dissolved, 100u);
}

/// A packing of groups and the packing of their members are the same packing.
TEST(Coarsen, KeepsTrafficRowsAndColumns) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Fixture fixture(seed);
    Crossbar half{4, 3, 8};
    for (const CoarseHypergraph &coarse :
         {mergeTwins(fixture.hypergraph, Crossbar{UINT32_MAX, 3, 8}),
          mergePairs(fixture.hypergraph, half)}) {
      const Hypergraph &graph = coarse.hypergraph;
      Packing groups(graph, fixture.crossbar);
      for (VertexId v = 0; v < graph.vertices(); ++v)
        groups.place(v, groups.open());
      CounterRandom random(seed);
      refine(groups, 3, random);
      Packing units(fixture.hypergraph, coarse.coarseOf, groups);
      EXPECT_EQ(units.cost(), groups.cost());
      expectRecounted(units);
      for (ClusterId c = 0; c < groups.clusters(); ++c) {
        EXPECT_EQ(units.freeRows(c), groups.freeRows(c));
        EXPECT_EQ(units.freeColumns(c), groups.freeColumns(c));
      }
    }
  }
}

TEST(Coarsen, PairsKeepTheLimitAndShrink) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Fixture fixture(seed);
    CoarseHypergraph coarse = mergePairs(fixture.hypergraph, Crossbar{6, 2, 8});
    EXPECT_LT(coarse.hypergraph.vertices(), fixture.hypergraph.vertices());
    for (VertexId v = 0; v < coarse.hypergraph.vertices(); ++v) {
      EXPECT_LE(coarse.hypergraph.columns[v], 2u);
      if (coarse.hypergraph.columns[v] > 1) {
        EXPECT_LE(coarse.hypergraph.pins[v].size(), 6u);
      }
    }
  }
}

TEST(Coarsen, TwinsReadTheSame) {
  SpikingGraph graph; // a dense layer of five on three inputs, and one neuron on two of them
  graph.populations = {{"input", PopulationKind::Input, {3}, 0, 3},
                       {"dense1", PopulationKind::Neuron, {6}, 3, 6}};
  graph.spikes.assign(9, 1);
  graph.offsets = {0, 0, 0, 0, 3, 6, 8, 11, 14, 17};
  graph.sources = {0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  graph.weights.assign(17, 1);
  Hypergraph units = buildHypergraph(graph, decompose(graph, chipOf(4, 4).crossbar));
  CoarseHypergraph coarse = mergeTwins(units, Crossbar{4, 3, 8});
  EXPECT_EQ(coarse.coarseOf, (std::vector<VertexId>{0, 0, 1, 0, 2, 2}));
  EXPECT_EQ(coarse.hypergraph.columns, (std::vector<uint32_t>{3, 1, 2}));
}

} // namespace
