#include "lib/partition/ConnectionLists.h"

#include "lib/partition/GraphExport.h"
#include "tests/partition/RandomGraph.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <map>
#include <sstream>

using namespace spindle;
using testing::HasSubstr;

namespace {

/// A trace whose counts are the graph's spikes, in one sample.
SpikeTrace traceOf(const SpikingGraph &graph) {
  SpikeTrace trace;
  trace.populations = graph.populations;
  trace.steps = 40;
  trace.samples = 1;
  trace.recorded.emplace_back();
  for (uint32_t step = 0; step < trace.steps; ++step)
    for (NeuronId n = 0; n < graph.neurons(); ++n)
      if (step < graph.spikes[n])
        trace.recorded[0].push_back({step, n});
  trace.counts = graph.spikes;
  return trace;
}

TEST(ConnectionLists, RoundTrip) {
  TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SpikingGraph graph = randomGraph(seed);
    SpikeTrace trace = traceOf(graph);
    ASSERT_EQ(toText(writeConnectionLists(folder / "c.txt", folder / "s.txt", graph, trace)), "");
    llvm::Expected<ConnectionLists> lists = readConnectionLists(folder / "c.txt", folder / "s.txt");
    ASSERT_TRUE(bool(lists)) << toText(lists.takeError());
    EXPECT_EQ(lists->graph.offsets, graph.offsets);
    EXPECT_EQ(lists->graph.sources, graph.sources);
    EXPECT_EQ(lists->graph.spikes, graph.spikes);
    EXPECT_EQ(lists->trace.recorded, trace.recorded);
    EXPECT_EQ(lists->trace.counts, trace.counts);
    EXPECT_EQ(lists->graph.weights, std::vector<float>(graph.synapses(), 1.0f));
  }
}

TEST(ConnectionLists, SamplesFollowEachOtherInTime) {
  TemporaryFolder folder;
  SpikingGraph graph = randomGraph(1, {1, 1, 1, false});
  SpikeTrace trace = traceOf(graph);
  trace.recorded = {{{3, 1}}, {{0, 0}, {5, 1}}};
  trace.samples = 2;
  trace.counts = {1, 2};
  ASSERT_EQ(toText(writeConnectionLists(folder / "c.txt", folder / "s.txt", graph, trace)), "");
  EXPECT_EQ(folder.read("s.txt"), "0 40\n1 3 45\n");
}

/// Such a sample lasts a step, so that all later stages have one.
TEST(ConnectionLists, ListsWithoutSpikesAreOfOneStep) {
  TemporaryFolder folder;
  folder.write("c.txt", "0 1\n");
  folder.write("s.txt", "");
  auto lists = readConnectionLists(folder / "c.txt", folder / "s.txt");
  ASSERT_TRUE(bool(lists)) << toText(lists.takeError());
  EXPECT_EQ(lists->graph.steps, 1u);
  EXPECT_EQ(lists->trace.steps, 1u);
  EXPECT_FALSE(bool(verify(lists->trace)));
}

TEST(ConnectionLists, ReadsPopulationsOffTheFanIn) {
  TemporaryFolder folder;
  // Neurons 0 and 3 have no inputs; 4 has them from 3; 5 is known from its spikes alone.
  std::string connections = folder.write("c.txt", "0 2 1\n3 4\n\n");
  std::string spikes = folder.write("s.txt", "5 9 \n0 4\t1\r\n1\n");
  llvm::Expected<ConnectionLists> lists = readConnectionLists(connections, spikes);
  ASSERT_TRUE(bool(lists)) << toText(lists.takeError());
  std::vector<Population> expected = {{"input1", PopulationKind::Input, {1}, 0, 1},
                                      {"neurons1", PopulationKind::Neuron, {2}, 1, 2},
                                      {"input2", PopulationKind::Input, {1}, 3, 1},
                                      {"neurons2", PopulationKind::Neuron, {1}, 4, 1},
                                      {"input3", PopulationKind::Input, {1}, 5, 1}};
  EXPECT_EQ(lists->graph.populations, expected);
  EXPECT_EQ(lists->trace.populations, expected);
  EXPECT_EQ(lists->graph.steps, 10u);
  EXPECT_EQ(lists->graph.sources, (std::vector<NeuronId>{0, 0, 3}));
  EXPECT_EQ(lists->trace.recorded[0], (std::vector<Spike>{{1, 0}, {4, 0}, {9, 5}}));
}

TEST(ConnectionLists, ErrorsNameTheLine) {
  TemporaryFolder folder;
  auto errorOf = [&](const std::string &connections, const std::string &spikes) {
    llvm::Expected<ConnectionLists> lists =
        readConnectionLists(folder.write("c.txt", connections), folder.write("s.txt", spikes));
    if (lists)
      return std::string("no error");
    llvm::Error error = lists.takeError();
    EXPECT_EQ(kindOf(error), ErrorKind::Input);
    return toText(std::move(error));
  };
  EXPECT_THAT(errorOf("0 1\n1 x2\n", "0 1\n"),
              HasSubstr("c.txt:2: error: 'x2' found, expected a whole number from 0 to 4000000"));
  EXPECT_THAT(errorOf("0 1\n", "0 1\n1 2.5\n"), HasSubstr("s.txt:2: error: '2.5' found"));
  EXPECT_THAT(errorOf("0 1\n", "0 -1\n"), HasSubstr("s.txt:1: error: '-1' found"));
  EXPECT_THAT(errorOf("0 99999999\n", ""), HasSubstr("c.txt:1: error: '99999999' found"));
  EXPECT_THAT(errorOf("0 99999999999\n", ""), HasSubstr("c.txt:1: error: '99999999999' found"));
  EXPECT_THAT(errorOf("0 1\n2 1\n0 2\n", ""),
              HasSubstr("c.txt:3: error: neuron 0 has a line already, line 1; expected one line"));
  EXPECT_THAT(errorOf("0 1 2 1\n", ""),
              HasSubstr("c.txt:1: error: neuron 0 drives neuron 1 twice"));
  EXPECT_THAT(errorOf("0 1\n", "\n1 3 3\n"),
              HasSubstr("s.txt:2: error: neuron 1 spikes at step 3 twice"));
  EXPECT_THAT(errorOf("", ""), HasSubstr("neither file names a neuron"));
  EXPECT_THAT(toText(readConnectionLists(folder / "absent", folder / "s.txt").takeError()),
              HasSubstr("absent: error: cannot open"));

  SpikingGraph graph = randomGraph(1);
  llvm::Error error = writeConnectionLists(folder / "c.txt", folder / "s.txt", graph,
                                           traceOf(randomGraph(1, {1, 2, 1, true})));
  EXPECT_THAT(toText(std::move(error)),
              HasSubstr("s.txt: error: the trace has 3 neurons, the graph 26"));
}

/// The file read back by the definition of the format: every edge from both ends, the same weight.
TEST(GraphExport, MetisGraphIsSymmetric) {
  TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    SpikingGraph graph = randomGraph(seed);
    ASSERT_EQ(toText(writeMetisGraph(folder / "g.graph", graph)), "");
    std::istringstream file(folder.read("g.graph"));
    std::string line;
    std::getline(file, line);
    std::istringstream header(line);
    uint64_t vertices = 0, edges = 0;
    std::string format;
    header >> vertices >> edges >> format;
    EXPECT_EQ(vertices, graph.neurons());
    EXPECT_EQ(format, "001");
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> weights;
    for (uint64_t v = 1; std::getline(file, line); ++v) {
      std::istringstream list(line);
      for (uint64_t u, weight; list >> u >> weight;)
        EXPECT_TRUE(weights.emplace(std::pair(v, u), weight).second);
    }
    EXPECT_EQ(weights.size(), 2 * edges);
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> expected;
    for (NeuronId n = 0; n < graph.neurons(); ++n)
      for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
        if (NeuronId source = graph.sources[s]; source != n)
          for (auto ends : {std::pair<uint64_t, uint64_t>(n + 1, source + 1),
                            std::pair<uint64_t, uint64_t>(source + 1, n + 1)})
            expected.emplace(ends, 1).first->second += graph.spikes[source];
    EXPECT_EQ(weights, expected);
  }
}

TEST(GraphExport, GraphMlHoldsNodesAndEdges) {
  TemporaryFolder folder;
  SpikingGraph graph = randomGraph(2);
  graph.populations[0].name = "a<b>&\"c\"";
  ASSERT_EQ(toText(writeGraphMl(folder / "g.graphml", graph)), "");
  std::string text = folder.read("g.graphml");
  auto count = [&](const std::string &word) {
    size_t found = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("<node "), graph.neurons());
  EXPECT_EQ(count("<edge "), graph.synapses());
  EXPECT_EQ(count("a&lt;b&gt;&amp;&quot;c&quot;"), graph.populations[0].size);
  EXPECT_EQ(count("a<b>"), 0u);
}

} // namespace
