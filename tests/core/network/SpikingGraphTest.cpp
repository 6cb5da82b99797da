#include "core/network/SpikingGraph.h"

#include "core/network/PopulationFile.h"
#include "core/network/synapses/SynapseRuns.h"
#include "core/support/formats/Hdf5.h"
#include "tests/partition/RandomGraph.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <limits>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

TEST(SpikingGraph, RandomGraphsRoundTrip) {
  TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SpikingGraph graph = randomGraph(seed);
    ASSERT_EQ(toText(verify(graph)), "");
    ASSERT_EQ(toText(writeSpikingGraph(folder / "g.h5", graph)), "");
    llvm::Expected<SpikingGraph> read = readSpikingGraph(folder / "g.h5");
    ASSERT_TRUE(bool(read)) << toText(read.takeError());
    EXPECT_EQ(*read, graph);
  }
}

TEST(SpikingGraph, FilesAreIdentical) {
  TemporaryFolder folder;
  SpikingGraph graph = randomGraph(1);
  ASSERT_EQ(toText(writeSpikingGraph(folder / "a.h5", graph)), "");
  ASSERT_EQ(toText(writeSpikingGraph(folder / "b.h5", graph)), "");
  EXPECT_EQ(folder.read("a.h5"), folder.read("b.h5"));
}

/// The data sets that a reader of SONATA edges looks for.
TEST(SpikingGraph, EdgesAreSonata) {
  TemporaryFolder folder;
  SpikingGraph graph = randomGraph(1);
  ASSERT_EQ(toText(writeSpikingGraph(folder / "g.h5", graph)), "");
  llvm::Expected<Hdf5Reader> file = Hdf5Reader::open(folder / "g.h5");
  ASSERT_TRUE(bool(file));
  std::vector<uint64_t> sources, targets, offsets;
  ASSERT_EQ(toText(file->read("edges/network/source_node_id", sources)), "");
  ASSERT_EQ(toText(file->read("edges/network/target_node_id", targets)), "");
  ASSERT_EQ(toText(file->read("edges/network/offsets", offsets)), "");
  ASSERT_EQ(targets.size(), graph.synapses());
  for (uint64_t s = 0; s < targets.size(); ++s) {
    EXPECT_EQ(sources[s], graph.sources[s]);
    EXPECT_GE(s, offsets[targets[s]]);
    EXPECT_LT(s, offsets[targets[s] + 1]);
  }
  EXPECT_TRUE(file->has("edges/network/0/syn_weight"));
  EXPECT_TRUE(file->has("edges/network/edge_type_id"));
}

/// The kind of each synapse, for readers of SONATA; ours reads the pairs of populations.
TEST(SpikingGraph, KindsAreTypesOfEdges) {
  TemporaryFolder folder;
  for (uint64_t seed = 1; seed < 12; ++seed) {
    SpikingGraph graph = randomGraph(seed);
    ASSERT_EQ(toText(writeSpikingGraph(folder / "g.h5", graph)), "");
    Hdf5Reader file = llvm::cantFail(Hdf5Reader::open(folder / "g.h5"));
    std::vector<uint32_t> types;
    ASSERT_EQ(toText(file.read("edges/network/edge_type_id", types)), "");
    EXPECT_EQ(file.has("edges/network/projections"), !graph.projections.empty());
    auto populationOf = [&](NeuronId n) {
      uint32_t p = 0;
      while (n >= graph.populations[p].first + graph.populations[p].size)
        ++p;
      return p;
    };
    SynapseRuns runs(graph);
    for (NeuronId n = 0; n < graph.neurons(); ++n) {
      uint64_t next = graph.offsets[n];
      runs.forEach(n, graph.offsets[n], graph.offsets[n + 1],
                   [&](uint64_t begin, uint64_t end, SynapseKind kind) {
                     EXPECT_EQ(begin, next);
                     EXPECT_LT(begin, end);
                     for (next = begin; next < end; ++next) {
                       SynapseKind expected = SynapseKind::Unknown;
                       for (const ProjectionKind &each : graph.projections)
                         if (each.from == populationOf(graph.sources[next]) &&
                             each.to == populationOf(n))
                           expected = each.kind;
                       EXPECT_EQ(kind, expected);
                       EXPECT_EQ(types[next], uint32_t(expected));
                     }
                   });
      EXPECT_EQ(next, graph.offsets[n + 1]);
    }
  }
}

/// Input 0, neurons 1 and 2 on it, 2 on 1 as well.
SpikingGraph smallGraph() {
  SpikingGraph graph;
  graph.populations = {{"in", PopulationKind::Input, {1}, 0, 1},
                       {"out", PopulationKind::Neuron, {2}, 1, 2}};
  graph.samples = 1;
  graph.steps = 4;
  graph.spikes = {4, 2, 0};
  graph.offsets = {0, 0, 1, 3};
  graph.sources = {0, 0, 1};
  graph.weights = {0.5f, -1, 2};
  return graph;
}

std::string problemAfter(void (*change)(SpikingGraph &)) {
  SpikingGraph graph = smallGraph();
  change(graph);
  llvm::Error error = verify(graph);
  return error ? toText(std::move(error)) : "no error";
}

TEST(SpikingGraph, VerifyFindsWhatIsWrong) {
  EXPECT_EQ(toText(verify(smallGraph())), "");
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.populations[1].first = 2; }),
              HasSubstr("population 'out' starts at neuron 2, expected 1"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.restless = {1}; }),
              HasSubstr("1 populations are restless or not, there are 2"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.restless = {1, 2}; }),
              HasSubstr("data set 'populations/restless' holds 2 at index 1, population 'out', "
                        "expected 0 or 1"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.spikes.pop_back(); }),
              HasSubstr("the populations hold 3 neurons, spikes are given for 2"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.offsets.pop_back(); }),
              HasSubstr("3 offsets for 3 neurons, expected one more than neurons"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.offsets.back() = 2; }),
              HasSubstr("the offsets run from 0 to 2, expected 0 to 3"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.offsets[1] = 2; }),
              HasSubstr("the offsets descend at neuron 1"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.weights.pop_back(); }),
              HasSubstr("2 weights for 3 synapses"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.sources[0] = 3; }),
              HasSubstr("neuron 1 is driven by neuron 3, the last is 2"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.sources[2] = 0; }),
              HasSubstr("the sources of neuron 2 do not ascend at neuron 0"));
  EXPECT_THAT(problemAfter([](SpikingGraph &g) { g.offsets = {0, 1, 2, 3}; }),
              HasSubstr("neuron 0 of the input population 'in' has 1 synapses, expected none"));
}

std::string readError(const std::string &path) {
  llvm::Expected<SpikingGraph> graph = readSpikingGraph(path);
  if (graph)
    return "no error";
  llvm::Error error = graph.takeError();
  EXPECT_EQ(kindOf(error), ErrorKind::Input);
  return toText(std::move(error));
}

TEST(SpikingGraph, ReaderRefusesOtherFiles) {
  TemporaryFolder folder;
  auto write = [&](const std::string &format, int64_t version) {
    llvm::Expected<Hdf5Writer> file = Hdf5Writer::create(folder / "g.h5");
    ASSERT_TRUE(bool(file));
    ASSERT_EQ(toText(file->attribute("/", "format", format)), "");
    ASSERT_EQ(toText(file->attribute("/", "format_version", version)), "");
    ASSERT_EQ(toText(file->close()), "");
  };
  write("spindle-trace", 1);
  EXPECT_THAT(readError(folder / "g.h5"),
              HasSubstr("g.h5: error: not a spindle-graph file, its format is 'spindle-trace'"));
  write("spindle-graph", 2);
  EXPECT_THAT(readError(folder / "g.h5"),
              HasSubstr("version 2 of spindle-graph, expected version 1; run the stage"));
  write("spindle-graph", 1);
  EXPECT_THAT(readError(folder / "g.h5"), HasSubstr("populations"));
  EXPECT_THAT(readError(folder.write("no.h5", "text")), HasSubstr("no.h5"));
}

TEST(SpikingGraph, ReaderRefusesCountsThatAreNone) {
  TemporaryFolder folder;
  llvm::Expected<Hdf5Writer> file = Hdf5Writer::create(folder / "g.h5");
  ASSERT_TRUE(bool(file));
  ASSERT_EQ(toText(file->attribute("/", "format", std::string("spindle-graph"))), "");
  ASSERT_EQ(toText(file->attribute("/", "format_version", int64_t(1))), "");
  ASSERT_EQ(toText(writePopulations(*file, smallGraph().populations)), "");
  ASSERT_EQ(toText(file->attribute("spikes", "samples", int64_t(-1))), "");
  ASSERT_EQ(toText(file->close()), "");
  EXPECT_THAT(readError(folder / "g.h5"),
              HasSubstr("g.h5: error: spikes have -1 samples, expected 0 to 4294967295"));
}

/// How the file of the small graph, changed like this, is refused.
std::string errorOfFile(void (*change)(SpikingGraph &)) {
  TemporaryFolder folder;
  SpikingGraph graph = smallGraph();
  change(graph);
  EXPECT_EQ(toText(writeSpikingGraph(folder / "g.h5", graph)), "");
  std::string error = readError(folder / "g.h5");
  return error.starts_with(folder.path()) ? error.substr(folder.path().size() + 1) : error;
}

TEST(SpikingGraph, ReaderRefusesWeightsThatAreNotFinite) {
  const std::string weights = "g.h5: error: data set 'edges/network/0/syn_weight' holds ",
                    remedy = ", expected finite numbers; write it again with 'spindle graph'";
  EXPECT_EQ(
      errorOfFile([](SpikingGraph &g) { g.weights[2] = std::numeric_limits<float>::quiet_NaN(); }),
      weights + "nan at index 2" + remedy);
  EXPECT_EQ(
      errorOfFile([](SpikingGraph &g) { g.weights[0] = -std::numeric_limits<float>::infinity(); }),
      weights + "-inf at index 0" + remedy);
}

TEST(SpikingGraph, ReaderRefusesCountsThatNoEmulationMakes) {
  const std::string counts = "g.h5: error: data set 'spikes/count' ",
                    remedy = "; write it again with 'spindle graph'";
  // 1 sample of 4 steps.
  EXPECT_EQ(errorOfFile([](SpikingGraph &g) { g.spikes[1] = 4 * uint64_t(UINT32_MAX); }),
            "no error");
  EXPECT_EQ(errorOfFile([](SpikingGraph &g) { g.spikes[1] = 4 * uint64_t(UINT32_MAX) + 1; }),
            counts +
                "holds 17179869181 at index 1, expected at most 4294967295 in each of 4 steps "
                "of 1 samples" +
                remedy);
  EXPECT_EQ(errorOfFile([](SpikingGraph &g) { g.samples = 0; }),
            counts +
                "holds 4 at index 0, expected at most 4294967295 in each of 4 steps of 0 "
                "samples" +
                remedy);
  // Neuron 0 drives two synapses: it counts three times.
  auto many = [](SpikingGraph &g) {
    g.samples = g.steps = UINT32_MAX;
    g.spikes = {uint64_t(1) << 52, 0, 0};
  };
  EXPECT_EQ(errorOfFile(many),
            counts +
                "makes 1.351e+16 spikes, counted at every neuron and every synapse, expected "
                "at most 9007199254740992" +
                remedy);
}

TEST(SpikingGraph, ReaderRefusesArraysThatTheHeaderDoesNotAskFor) {
  TemporaryFolder folder;
  SpikingGraph graph = smallGraph();
  auto errorWith = [&](size_t counts, std::vector<uint64_t> offsets, size_t sources,
                       size_t weights) {
    Hdf5Writer file = llvm::cantFail(Hdf5Writer::create(folder / "g.h5"));
    llvm::cantFail(writeSonataHeader(file, {"spindle-graph", 1}));
    llvm::cantFail(writePopulations(file, graph.populations));
    llvm::cantFail(file.write("spikes/count", std::vector<uint64_t>(counts)));
    for (const char *name : {"samples", "steps"})
      llvm::cantFail(file.attribute("spikes", name, int64_t(1)));
    llvm::cantFail(file.write("edges/network/offsets", offsets));
    llvm::cantFail(file.write("edges/network/source_node_id", std::vector<uint64_t>(sources)));
    llvm::cantFail(file.write("edges/network/0/syn_weight", std::vector<float>(weights)));
    llvm::cantFail(file.close());
    return readError(folder / "g.h5");
  };
  const std::string set = folder / "g.h5: error: data set '",
                    remedy = "; write it again with 'spindle graph'";
  EXPECT_EQ(errorWith(3, {0, 0, 1, 1}, 1, 1), "no error");
  EXPECT_EQ(errorWith(1000000, {0, 0, 1, 1}, 1, 1),
            set + "spikes/count' has the extents [1000000], expected [3], one per neuron" + remedy);
  EXPECT_EQ(errorWith(3, {0, 0, 1}, 1, 1),
            set +
                "edges/network/offsets' has the extents [3], expected [4], one more than neurons" +
                remedy);
  EXPECT_EQ(errorWith(3, {0, 0, 1, 1}, 1000000, 1),
            set +
                "edges/network/source_node_id' has the extents [1000000], expected [1], one per "
                "synapse of the offsets" +
                remedy);
  EXPECT_EQ(errorWith(3, {0, 0, 1, UINT64_MAX}, 1, 1),
            set +
                "edges/network/source_node_id' has the extents [1], expected "
                "[18446744073709551615], one per synapse of the offsets" +
                remedy);
  EXPECT_EQ(errorWith(3, {0, 0, 1, 1}, 1, 2),
            set +
                "edges/network/0/syn_weight' has the extents [2], expected [1], one per synapse "
                "of the offsets" +
                remedy);
}

TEST(SpikingGraph, WriterRefusesBrokenGraphs) {
  TemporaryFolder folder;
  SpikingGraph graph = smallGraph();
  graph.weights.clear();
  EXPECT_THAT(toText(writeSpikingGraph(folder / "g.h5", graph)), HasSubstr("0 weights"));
}

/// Of the small graph, which has two populations.
TEST(SpikingGraph, ReaderRefusesKindsThatAreNone) {
  TemporaryFolder folder;
  auto errorOf = [&](const std::vector<uint32_t> &projections) {
    SpikingGraph graph = smallGraph();
    Hdf5Writer file = llvm::cantFail(Hdf5Writer::create(folder / "g.h5"));
    llvm::cantFail(file.attribute("/", "format", std::string("spindle-graph")));
    llvm::cantFail(file.attribute("/", "format_version", int64_t(1)));
    llvm::cantFail(writePopulations(file, graph.populations));
    llvm::cantFail(file.write("spikes/count", graph.spikes));
    llvm::cantFail(file.attribute("spikes", "samples", int64_t(1)));
    llvm::cantFail(file.attribute("spikes", "steps", int64_t(4)));
    llvm::cantFail(file.write("edges/network/offsets", graph.offsets));
    llvm::cantFail(file.write("edges/network/source_node_id",
                              std::vector<uint64_t>(graph.sources.begin(), graph.sources.end())));
    llvm::cantFail(file.write("edges/network/0/syn_weight", graph.weights));
    llvm::cantFail(file.write("edges/network/projections", projections));
    llvm::cantFail(file.close());
    std::string error = readError(folder / "g.h5");
    return error.starts_with(folder.path()) ? error.substr(folder.path().size() + 1) : error;
  };
  EXPECT_EQ(errorOf({0, 1, 3, 1, 1, 0}), "no error");
  EXPECT_EQ(errorOf({0, 1, 4}),
            "g.h5: error: data set 'edges/network/projections' holds 4 at index "
            "2, expected a kind of 0 to 3; write it again with 'spindle "
            "graph'");
  EXPECT_EQ(errorOf({0, 1}),
            "g.h5: error: data set 'edges/network/projections' has the extents [2], expected three "
            "numbers for each of at most 4 pairs of populations; write it again with 'spindle "
            "graph'");
  EXPECT_THAT(errorOf(std::vector<uint32_t>(15)), HasSubstr("has the extents [15], expected"));
  EXPECT_THAT(errorOf({0, 2, 1}), HasSubstr("not a valid graph: projection 0 leads from population "
                                            "0 to 2, the last is 1"));
  EXPECT_THAT(errorOf({0, 1, 1, 0, 1, 2}),
              HasSubstr("not a valid graph: the projections do not ascend at projection 1"));
}

} // namespace
