#include "lib/partition/packing/BuildClustering.h"

#include "lib/partition/Decompose.h"
#include "lib/partition/VerifyClustering.h"
#include "tests/partition/RandomGraph.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// Inputs 0 and 1; neuron 2 on {0, 1}, neuron 3 on {1, 2}, neuron 4 on {0, 1, 2, 3}: with three
/// rows the last one is two units on {0, 1} and {2, 3}.
SpikingGraph smallGraph() {
  SpikingGraph graph;
  graph.populations = {{"input", PopulationKind::Input, {2}, 0, 2},
                       {"hidden", PopulationKind::Neuron, {3}, 2, 3}};
  graph.samples = 1;
  graph.steps = 10;
  graph.spikes = {7, 5, 3, 2, 1};
  graph.offsets = {0, 0, 0, 2, 4, 8};
  graph.sources = {0, 1, 1, 2, 0, 1, 2, 3};
  graph.weights.assign(8, 1);
  return graph;
}

Clustering smallClustering() {
  SpikingGraph graph = smallGraph();
  Crossbar crossbar{3, 2, 8};
  std::vector<Unit> units = decompose(graph, crossbar); // 2, 3, 4 first, 4 last
  Clustering clustering = buildClustering(graph, units, {5, 9, 5, 9}, crossbar);
  clustering.algorithm = "by hand";
  return clustering;
}

TEST(BuildClustering, FillsWhatPaperAndPencilFind) {
  Clustering clustering = smallClustering();
  EXPECT_EQ(clustering.units,
            (std::vector<Unit>{{2, 0, kNone}, {3, 1, kNone}, {4, 0, 3}, {4, 1, kNone}}));
  ASSERT_EQ(clustering.clusters.size(), 2u);
  EXPECT_EQ(clustering.clusters[0], (Cluster{2, 1, 4, {{0, 2, 7}, {1, 2, 5}}}));
  EXPECT_EQ(clustering.clusters[1], (Cluster{2, 2, 4, {{1, 1, 5}, {2, 2, 3}, {3, 1, 2}}}));
  // Neuron 2 goes from cluster 0 to 1 with three spikes, once for its two cells there; the block
  // {0, 1} hears 12 spikes but has only ten steps to send a sum in.
  EXPECT_EQ(clustering.links,
            (std::vector<ClusterLink>{{0, 1, 3, 10}, {kNone, 0, 12, 0}, {kNone, 1, 5, 0}}));
  EXPECT_EQ(clustering.cutSpikes, 3u);
  EXPECT_EQ(toText(verifyAgainst(smallGraph(), clustering)), "");
}

TEST(BuildClustering, PartialSumsOfSimulatedChainsKeepTheBound) {
  uint32_t sent = 0, tight = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SpikingGraph graph = randomGraph(seed, {8, 20, 20, true});
    CounterRandom random(seed, 3);
    // spikes[step][neuron] of one sample of 16 steps; the graph holds the counts
    std::vector<std::vector<bool>> spikes(16, std::vector<bool>(graph.neurons()));
    graph.samples = 1;
    graph.spikes.assign(graph.neurons(), 0);
    for (auto &step : spikes)
      for (NeuronId n = 0; n < graph.neurons(); ++n)
        graph.spikes[n] += step[n] = random.below(12) == 0;
    std::vector<Unit> units =
        decompose(graph, chipOf(3, 3).crossbar, static_cast<FanInShape>(seed % 2));
    std::vector<uint64_t> offsets = unitOffsets(graph, units), sums(units.size(), 0);
    for (const auto &step : spikes) {
      std::vector<bool> carries(units.size());
      for (UnitId u = 0; u < units.size(); ++u) {
        for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
          carries[u] = carries[u] || step[graph.sources[s]];
        if (!carries[u] || units[u].carryTo == kNone)
          continue;
        ++sums[u];
        carries[units[u].carryTo] = true;
      }
    }
    std::vector<uint64_t> bounds = partialSumBounds(graph, units);
    for (UnitId u = 0; u < units.size(); ++u) {
      EXPECT_LE(sums[u], bounds[u]);
      EXPECT_LE(bounds[u], 16u);
      sent += sums[u] > 0;
      tight += sums[u] > 0 && sums[u] == bounds[u];
    }
  }
  EXPECT_GT(sent, 100u);
  EXPECT_GT(tight, 20u);
}

std::string problemAfter(void (*change)(Clustering &)) {
  Clustering clustering = smallClustering();
  change(clustering);
  llvm::Error error = verifyAgainst(smallGraph(), clustering);
  return error ? toText(std::move(error)) : "no error";
}

using testing::HasSubstr;

TEST(VerifyClustering, FindsWhatDoesNotBelongToTheGraph) {
  EXPECT_THAT(problemAfter([](Clustering &c) { c.steps = 9; }),
              HasSubstr("made for 5 neurons, 1 samples, 9 steps; the graph has 5, 1, 10"));
  EXPECT_THAT(problemAfter([](Clustering &c) { c.rows = 4; }),
              HasSubstr("neuron 4 with fan-in 4 is in 2 units, expected 1 of at most 4 rows"));
  EXPECT_THAT(problemAfter([](Clustering &c) { c.units[0].neuron = 0; }),
              HasSubstr("input neuron 0 has a unit, the host drives it"));
  EXPECT_THAT(problemAfter([](Clustering &c) {
                c.clusters[1].axons[1].synapses = 1;
                c.clusters[1].axons[2].synapses = 2;
              }),
              HasSubstr("cluster 1 lacks the axon of neuron 2 with 2 synapses and 3 spikes"));
  EXPECT_THAT(problemAfter([](Clustering &c) {
                SynapsesByKind<uint32_t> &cells = c.clusters[1].axons[1].synapses;
                cells[SynapseKind::Dense] = cells.all();
                cells[SynapseKind::Unknown] = 0;
              }),
              HasSubstr("cluster 1 lacks the axon of neuron 2 with 2 synapses and 3 spikes"));
  EXPECT_THAT(problemAfter([](Clustering &c) { c.clusters[1].axons[1].spikes = 4; }),
              HasSubstr("cluster 1 lacks the axon of neuron 2"));
  EXPECT_THAT(problemAfter([](Clustering &c) {
                c.clusters[0].axons.push_back({3, 1, 2});
                c.clusters[0].synapses = 5;
              }),
              HasSubstr("cluster 0 has 3 axons, its units read 2 neurons"));
  EXPECT_THAT(problemAfter([](Clustering &c) { c.links.pop_back(); }),
              HasSubstr("2 links, the synapses make 3"));
  EXPECT_THAT(problemAfter([](Clustering &c) { c.links[0].partialSums = 9; }),
              HasSubstr("link 0 carries 3 spikes and 9 partial sums, the synapses make 3 and 10"));
  EXPECT_THAT(problemAfter([](Clustering &c) { c.links[0].spikes = c.cutSpikes = 4; }),
              HasSubstr("link 0 carries 4 spikes"));
}

} // namespace
