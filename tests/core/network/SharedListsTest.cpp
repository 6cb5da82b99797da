// Graphs whose neurons share lists: files, and what is no such graph.
#include "core/support/formats/Hdf5.h"
#include "tests/partition/SharedGraph.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

TEST(SharedLists, RoundTrip) {
  TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SpikingGraph graph = randomSharedGraph(seed);
    ASSERT_EQ(toText(verify(graph)), "");
    ASSERT_EQ(toText(writeSpikingGraph(folder / "g.h5", graph)), "");
    llvm::Expected<SpikingGraph> read = readSpikingGraph(folder / "g.h5");
    ASSERT_TRUE(bool(read)) << toText(read.takeError());
    EXPECT_EQ(*read, graph);
    EXPECT_EQ(graph.synapses(), listed(graph).synapses());
  }
}

TEST(SharedLists, FaultsAreNamed) {
  auto faultOf = [](auto change) {
    SpikingGraph graph = randomSharedGraph(2);
    change(graph);
    return toText(verify(graph));
  };
  EXPECT_EQ(faultOf([](SpikingGraph &) {}), "");
  EXPECT_THAT(faultOf([](SpikingGraph &g) { g.lists.pop_back(); }),
              HasSubstr("neurons have a list"));
  EXPECT_THAT(faultOf([](SpikingGraph &g) { g.lists.back() = 1000; }), HasSubstr("has list 1000"));
  EXPECT_THAT(faultOf([](SpikingGraph &g) { g.lists.back() = g.lists[g.populations[1].first]; }),
              HasSubstr("expected one population"));
  EXPECT_THAT(faultOf([](SpikingGraph &g) { g.weights = {1}; }), HasSubstr("1 weights for 0"));
  EXPECT_THAT(faultOf([](SpikingGraph &g) { g.sources.back() = 100'000; }),
              HasSubstr("is driven by neuron 100000"));
  EXPECT_THAT(faultOf([](SpikingGraph &g) { std::swap(g.sources[0], g.sources[1]); }),
              HasSubstr("do not ascend"));
  EXPECT_THAT(faultOf([](SpikingGraph &g) {
                g.sources.insert(g.sources.begin(), 0);
                for (size_t list = 1; list < g.offsets.size(); ++list)
                  ++g.offsets[list]; // the list of the inputs has an entry
              }),
              HasSubstr("of the input population"));
}

TEST(SharedLists, FilesWithOtherLengthsAreRefused) {
  TemporaryFolder folder;
  SpikingGraph graph = randomSharedGraph(3);
  graph.offsets.back() += 5;
  EXPECT_THAT(toText(writeSpikingGraph(folder / "g.h5", graph)), HasSubstr("the offsets run from"));
}

TEST(SharedLists, AreNotForThoseWhoNeedSynapses) {
  SpikingGraph graph = randomSharedGraph(3);
  EXPECT_EQ(toText(needSynapses(listed(graph), "40-graph.h5", "an assessment")), "");
  EXPECT_EQ(toText(needSynapses(graph, "40-graph.h5", "an assessment")),
            "40-graph.h5: error: its " + std::to_string(graph.synapses()) +
                " synapses are in lists that neurons share, an assessment needs them one by one, "
                "with their weights; take a smaller network");
}

} // namespace
