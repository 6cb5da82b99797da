#include "core/chip/Clustering.h"

#include "core/network/SpikingGraph.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

/// Inputs 0 and 1, neuron 2 in two units over clusters 0 and 1, neuron 3 in cluster 1.
Clustering smallClustering() {
  Clustering clustering;
  clustering.algorithm = "by hand";
  clustering.rows = 2;
  clustering.columns = 2;
  clustering.neurons = 4;
  clustering.samples = 1;
  clustering.steps = 8;
  clustering.units = {{2, 0, 1}, {2, 1, kNone}, {3, 1, kNone}};
  clustering.clusters = {{1, 0, 2, {{0, 1, 5}, {1, 1, 4}}}, {2, 2, 3, {{1, 2, 4}, {3, 1, 6}}}};
  clustering.links = {{0, 1, 0, 8}, {kNone, 0, 9, 0}, {kNone, 1, 4, 0}};
  return clustering;
}

TEST(Clustering, RoundTrips) {
  TemporaryFolder folder;
  Clustering clustering = smallClustering();
  ASSERT_EQ(toText(writeClustering(folder / "c.json", clustering)), "");
  llvm::Expected<Clustering> read = readClustering(folder / "c.json");
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, clustering);
}

/// In JSON, and with its lists beside it.
TEST(Clustering, OrdersOfColumnsRoundTrip) {
  TemporaryFolder folder;
  Clustering clustering = smallClustering();
  clustering.order = ColumnOrder::SpikesFirst;
  for (ListsIn lists : {ListsIn::JsonFile, ListsIn::Hdf5File}) {
    ASSERT_EQ(toText(writeClustering(folder / "c.json", clustering, lists)), "");
    llvm::Expected<Clustering> read = readClustering(folder / "c.json");
    ASSERT_TRUE(bool(read)) << toText(read.takeError());
    EXPECT_EQ(*read, clustering);
  }
  std::string text = folder.read("c.json");
  text.replace(text.find("spikes_first"), 12, "spikes_last");
  EXPECT_THAT(toText(readClustering(folder.write("d.json", text)).takeError()),
              HasSubstr("column_order is 'spikes_last', expected neurons or spikes_first"));
}

/// All cells of a kind, or some of them; and lists that do not fit.
TEST(Clustering, KindsOfCellsRoundTrip) {
  TemporaryFolder folder;
  Clustering clustering = smallClustering();
  for (Axon &axon : clustering.clusters[0].axons) {
    axon.synapses[SynapseKind::Dense] = axon.synapses.all();
    axon.synapses[SynapseKind::Unknown] = 0;
  }
  SynapsesByKind<uint32_t> &mixed = clustering.clusters[1].axons[0].synapses;
  mixed[SynapseKind::Unknown] = 1;
  mixed[SynapseKind::Convolution] = 1;
  ASSERT_EQ(toText(writeClustering(folder / "c.json", clustering)), "");
  std::string text = folder.read("c.json");
  EXPECT_THAT(text, HasSubstr("\"dense\": \"all\""));
  llvm::Expected<Clustering> read = readClustering(folder / "c.json");
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, clustering);
  auto errorOf = [&](const std::string &kinds) {
    std::string damaged = text;
    damaged.replace(damaged.find("\"dense\": \"all\""), 14, "\"sparse\": " + kinds);
    std::string error = toText(readClustering(folder.write("d.json", damaged)).takeError());
    return error.substr(error.find("d.json"));
  };
  EXPECT_THAT(errorOf("\"some\""), HasSubstr("clusters[0].sparse is 'some', expected all, or a "
                                             "number for each of 2 axons"));
  EXPECT_THAT(errorOf("[1]"), HasSubstr("expected all, or a number for each of 2 axons"));
  EXPECT_THAT(errorOf("[1, 2]"), HasSubstr("expected at most the 1 cells of its axon"));
  EXPECT_THAT(errorOf("[1, -1]"), HasSubstr("is -1, expected"));
  EXPECT_THAT(
      errorOf("\"all\", \"dense\": \"all\""),
      HasSubstr("clusters[0].dense is 'all', expected a list, as 1 of the 1 cells of axon 0 "
                "are of another kind"));
}

TEST(Clustering, VectorsOfPartialSumsRoundTrip) {
  TemporaryFolder folder;
  Clustering clustering = smallClustering();
  clustering.sums = PartialSums::Vector;
  ASSERT_EQ(toText(writeClustering(folder / "c.json", clustering)), "");
  llvm::Expected<Clustering> read = readClustering(folder / "c.json");
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, clustering);
}

/// Five units of a neuron, whose last is the root: 3, 2 and 0 carry to it, 1 to 2.
Clustering treeOfFive() {
  Clustering clustering = smallClustering();
  clustering.shape = FanInShape::Tree;
  clustering.columns = 5;
  clustering.units = {{2, 1, 4}, {2, 1, 2}, {2, 1, 4}, {2, 1, 4}, {2, 1, kNone}, {3, 0, kNone}};
  clustering.clusters[0].neurons = 1;
  clustering.clusters[1].units = 5;
  clustering.clusters[1].neurons = 1;
  return clustering;
}

TEST(Clustering, TreesRoundTripAndAreChecked) {
  TemporaryFolder folder;
  Clustering clustering = treeOfFive();
  ASSERT_EQ(toText(writeClustering(folder / "c.json", clustering)), "");
  EXPECT_EQ(llvm::cantFail(readClustering(folder / "c.json")), clustering);
  std::string text = folder.read("c.json");
  text.replace(text.find("\"tree\""), 6, "\"star\"");
  EXPECT_THAT(toText(readClustering(folder.write("star.json", text)).takeError()),
              HasSubstr("rows, tree or pairs"));
  clustering.units[1].carryTo = 3;
  EXPECT_THAT(
      toText(verify(clustering)),
      HasSubstr("unit 1 breaks the tree of neuron 2: it carries to unit 3, expected unit 2"));
  clustering = treeOfFive();
  clustering.units[4].carryTo = 5;
  EXPECT_THAT(toText(verify(clustering)),
              HasSubstr("unit 4 breaks the tree of neuron 2: it carries to unit 5, expected none"));
  clustering = treeOfFive();
  clustering.shape = FanInShape::Rows;
  EXPECT_THAT(toText(verify(clustering)), HasSubstr("unit 0 breaks the chain of neuron 2"));
}

TEST(Clustering, VectorsTakeAPacketPerStep) {
  Clustering clustering = smallClustering();
  ClusterLink link{0, 1, 3, 20};
  EXPECT_EQ(partialSumPackets(clustering, link), 20u);
  clustering.sums = PartialSums::Vector;
  EXPECT_EQ(partialSumPackets(clustering, link), 8u); // one sample of eight steps
  link.partialSums = 5;
  EXPECT_EQ(partialSumPackets(clustering, link), 5u);
}

TEST(Clustering, PartFileHoldsTheClusterOfEachUnit) {
  TemporaryFolder folder;
  ASSERT_EQ(toText(writePart(folder / "c.part", smallClustering())), "");
  EXPECT_EQ(folder.read("c.part"), "0\n1\n1\n");
}

TEST(Clustering, UnitOffsetsSplitEvenly) {
  SpikingGraph graph;
  graph.spikes.assign(3, 0);
  graph.offsets = {0, 0, 7, 8};
  graph.sources.assign(8, 0);
  std::vector<Unit> units = {{1, 0, 1}, {1, 0, 2}, {1, 0, kNone}, {2, 0, kNone}};
  EXPECT_EQ(unitOffsets(graph, units), (std::vector<uint64_t>{0, 2, 4, 7, 8}));
}

std::string problemAfter(void (*change)(Clustering &)) {
  Clustering clustering = smallClustering();
  change(clustering);
  llvm::Error error = verify(clustering);
  if (!error)
    return "no error";
  EXPECT_EQ(kindOf(error), ErrorKind::Check);
  return toText(std::move(error));
}

TEST(Clustering, VerifyFindsWhatIsWrong) {
  EXPECT_EQ(toText(verify(smallClustering())), "");
  struct Case {
    void (*change)(Clustering &);
    const char *expected;
  };
  const Case cases[] = {
      {[](Clustering &c) { c.units[2].neuron = 4; },
       "unit 2 belongs to neuron 4, but the network has 4 neurons"},
      {[](Clustering &c) { c.neurons = 0; },
       "unit 0 belongs to neuron 2, but the network has 0 neurons"},
      {[](Clustering &c) { c.units[2].cluster = 2; },
       "unit 2 lies in cluster 2, but there are 2 clusters"},
      {[](Clustering &c) { c.clusters.clear(); },
       "unit 0 lies in cluster 0, but there are 0 clusters"},
      {[](Clustering &c) { c.units[2].neuron = 1; }, "the neurons of the units descend at unit 2"},
      {[](Clustering &c) { c.units[0].carryTo = kNone; }, "unit 0 breaks the chain of neuron 2"},
      {[](Clustering &c) { c.units[1].carryTo = 2; }, "unit 1 breaks the chain of neuron 2"},
      {[](Clustering &c) { c.clusters[1].units = 1; },
       "cluster 1 counts 1 units and 2 neurons, 2 and 2 lie in it"},
      {[](Clustering &c) { c.clusters[0].neurons = 1; },
       "cluster 0 counts 1 units and 1 neurons, 1 and 0 lie in it"},
      {[](Clustering &c) { c.clusters.push_back({}); }, "cluster 2 is empty"},
      {[](Clustering &c) { c.columns = 1; },
       "cluster 1 uses 2 rows and 2 columns of a crossbar of 2x1"},
      {[](Clustering &c) { c.rows = 1; },
       "cluster 0 uses 2 rows and 1 columns of a crossbar of 1x2"},
      {[](Clustering &c) { c.clusters[1].axons[1].neuron = 4; },
       "an axon of cluster 1 belongs to neuron 4, but the network has 4 neurons"},
      {[](Clustering &c) { c.clusters[0].axons[1].neuron = 0; },
       "the axons of cluster 0 do not ascend at neuron 0"},
      {[](Clustering &c) { c.clusters[0].axons[1].synapses = 0; },
       "axon 1 of cluster 0 drives 0 cells of 1 columns"},
      {[](Clustering &c) { c.clusters[0].axons[1].synapses = 2; },
       "axon 1 of cluster 0 drives 2 cells of 1 columns"},
      {[](Clustering &c) { c.clusters[0].synapses = 3; },
       "the axons of cluster 0 drive 2 cells, it counts 3 synapses"},
      {[](Clustering &c) { c.links[0].to = 2; },
       "link 0 has ends that are not two of the 2 clusters"},
      {[](Clustering &c) { c.links[0].to = 0; },
       "link 0 has ends that are not two of the 2 clusters"},
      {[](Clustering &c) { c.links[2].to = 0; }, "the links do not ascend at link 2"},
      {[](Clustering &c) { c.cutSpikes = 1; },
       "the links between clusters carry 0 spikes, the cut counts 1"},
  };
  for (const Case &wrong : cases)
    EXPECT_THAT(problemAfter(wrong.change), HasSubstr(wrong.expected));
}

TEST(Clustering, ReaderRefusesWrongFiles) {
  TemporaryFolder folder;
  ASSERT_EQ(toText(writeClustering(folder / "c.json", smallClustering())), "");
  const std::string good = folder.read("c.json");
  auto errorOf = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    llvm::Expected<Clustering> read = readClustering(folder.write("bad.json", text));
    if (read)
      return std::string("no error");
    llvm::Error error = read.takeError();
    EXPECT_EQ(kindOf(error), ErrorKind::Input);
    return toText(std::move(error));
  };
  EXPECT_THAT(errorOf("\"spindle-clusters\"", "\"spindle-mapping\""),
              HasSubstr("bad.json: error: not a spindle-clusters file"));
  EXPECT_THAT(errorOf("\"version\": 1", "\"version\": 2"), HasSubstr("expected version 1"));
  EXPECT_THAT(errorOf("\"cut_spikes\": 0", "\"cut_spikes\": 7"),
              HasSubstr("bad.json: error: not a valid clustering: the links between clusters"));
  EXPECT_THAT(errorOf("\"rows\": 2", "\"rows\": -2"), HasSubstr("rows is -2"));
  EXPECT_THAT(errorOf("\"steps\"", "\"stops\""), HasSubstr("the file has no member 'steps'"));
}

TEST(Clustering, WriterRefusesBrokenClusterings) {
  TemporaryFolder folder;
  Clustering clustering = smallClustering();
  clustering.cutSpikes = 1;
  EXPECT_THAT(toText(writeClustering(folder / "c.json", clustering)),
              HasSubstr("the cut counts 1"));
  EXPECT_THAT(toText(writePart(folder / "c.part", clustering)), HasSubstr("the cut counts 1"));
}

} // namespace
