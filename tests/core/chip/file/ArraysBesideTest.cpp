// Long lists of stage files as arrays beside them: the same nouns, and files that do not belong
// together.
#include "core/chip/file/ArraysBeside.h"

#include "core/chip/file/ClusteringArrays.h"
#include "core/chip/sdf/SdfArrays.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

Clustering someClusters() {
  Clustering clustering;
  clustering.algorithm = "by hand";
  clustering.rows = 2;
  clustering.columns = 2;
  clustering.neurons = 4;
  clustering.samples = 1;
  clustering.steps = 8;
  clustering.units = {{2, 0, 1}, {2, 1, kNone}, {3, 1, kNone}};
  clustering.clusters = {{1, 0, 2, {{0, 1, 5}, {1, 1, 4}}}, {2, 2, 3, {{1, 2, 4}, {3, 1, 6}}}};
  clustering.clusters[1].axons[0].synapses = 0;
  clustering.clusters[1].axons[0].synapses[SynapseKind::Dense] = 2;
  clustering.links = {{0, 1, 0, 8}, {kNone, 0, 9, 0}, {kNone, 1, 4, 0}};
  return clustering;
}

SdfGraph someGraph() {
  SdfGraph graph;
  graph.name = "clusters";
  graph.actors = {{"a", 7}, {"b", 9}};
  graph.channels = {{0, 1, 2, 3, 4, 32}, {1, 1, 1, 1, 1, 0}};
  return graph;
}

TEST(ArraysBeside, ClustersRoundTrip) {
  TemporaryFolder folder;
  for (FanInShape shape : {FanInShape::Rows, FanInShape::Tree}) {
    Clustering clustering = someClusters();
    clustering.shape = shape;
    ASSERT_EQ(toText(writeClustering(folder / "50-clusters.json", clustering, ListsIn::Hdf5File)),
              "");
    EXPECT_THAT(folder.read("50-clusters.json"), HasSubstr("\"file\": \"50-clusters.h5\""));
    EXPECT_EQ(folder.read("50-clusters.json").find("\"units\""), std::string::npos);
    llvm::Expected<Clustering> read = readClustering(folder / "50-clusters.json");
    ASSERT_TRUE(bool(read)) << toText(read.takeError());
    EXPECT_EQ(*read, clustering);
  }
}

/// What packs better than a reader believes is stored as it is.
TEST(ArraysBeside, WhatIsWrittenIsRead) {
  TemporaryFolder folder;
  const std::vector<uint32_t> ones(34u << 20, 1);
  ASSERT_EQ(toText(writeArrays(folder / "ones.h5", ones.size(),
                               [&](Hdf5Writer &file) { return file.write("ones", ones); })),
            "");
  std::vector<uint32_t> read;
  ArraysReader reader(llvm::cantFail(Hdf5Reader::open(folder / "ones.h5")));
  ASSERT_EQ(toText(reader.read("ones", read)), "");
  EXPECT_EQ(read, ones);
}

TEST(ArraysBeside, GraphsRoundTrip) {
  TemporaryFolder folder;
  SdfGraph graph = someGraph();
  ASSERT_EQ(toText(writeSdfGraph(folder / "60-sdf.json", graph, ListsIn::Hdf5File)), "");
  EXPECT_EQ(folder.read("60-sdf.json").find("channels"), std::string::npos);
  llvm::Expected<SdfGraph> read = readSdfGraph(folder / "60-sdf.json");
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, graph);
  // Phases stay in JSON.
  graph.channels[0].produce = std::vector<uint32_t>{1, 0};
  graph.channels.push_back({0, 0, 1, 1, 1, 0});
  ASSERT_EQ(toText(writeSdfGraph(folder / "phases.json", graph, ListsIn::Hdf5File)), "");
  EXPECT_THAT(folder.read("phases.json"), HasSubstr("channels"));
}

TEST(ArraysBeside, AreForLongListsOrOnRequest) {
  EXPECT_FALSE(areArrays(ListsIn::Auto, kMostJsonEntries));
  EXPECT_TRUE(areArrays(ListsIn::Auto, kMostJsonEntries + 1));
  EXPECT_FALSE(areArrays(ListsIn::JsonFile, UINT64_MAX));
  EXPECT_TRUE(areArrays(ListsIn::Hdf5File, 0));
}

TEST(ArraysBeside, FilesThatDoNotBelongTogetherAreRefused) {
  TemporaryFolder folder;
  ASSERT_EQ(toText(writeClustering(folder / "50-clusters.json", someClusters(), ListsIn::Hdf5File)),
            "");
  std::string text = folder.read("50-clusters.json");
  auto error = [&] { return toText(readClustering(folder / "50-clusters.json").takeError()); };

  std::string elsewhere = text;
  elsewhere.replace(elsewhere.find("50-clusters.h5"), 14, "../other/x.h5");
  folder.write("50-clusters.json", elsewhere);
  EXPECT_THAT(error(),
              HasSubstr("50-clusters.json: error: arrays.file is '../other/x.h5', expected "
                        "'50-clusters.h5', the file beside this one"));
  std::string both = text;
  both.insert(both.find("\"arrays\""), "\"units\": [], ");
  folder.write("50-clusters.json", both);
  EXPECT_THAT(error(), HasSubstr("50-clusters.json: error: has 'units' and 'arrays', which hold "
                                 "the same; remove one of them, or run the stage"));
  folder.write("50-clusters.json", text);
  Clustering other = someClusters();
  other.links.back().spikes = 3;
  ASSERT_EQ(toText(writeClustering(folder / "other.json", other, ListsIn::Hdf5File)), "");
  folder.write("50-clusters.h5", folder.read("other.h5"));
  EXPECT_THAT(error(), HasSubstr("50-clusters.h5: error: not what was written together with "
                                 "50-clusters.json; run the stage that writes both again"));
  std::filesystem::remove(folder / "50-clusters.h5");
  EXPECT_THAT(error(), HasSubstr("50-clusters.h5: error: is not there, and 50-clusters.json has "
                                 "its lists in it; keep both files together, or run the stage"));
}

/// Arrays that do not fit together, written as another program may.
TEST(ArraysBeside, WrongArraysAreNamed) {
  TemporaryFolder folder;
  auto error = [&](const std::string &changed, std::vector<uint64_t> values) {
    Hdf5Writer file = llvm::cantFail(Hdf5Writer::create(folder / "a.h5"));
    auto narrow = [&](const std::string &name, const std::vector<uint32_t> &usual) {
      std::vector<uint32_t> own(values.begin(), values.end());
      llvm::cantFail(file.write(name, name == changed ? own : usual));
    };
    auto wide = [&](const std::string &name, const std::vector<uint64_t> &usual) {
      llvm::cantFail(file.write(name, name == changed ? values : usual));
    };
    narrow("units/neuron", {2, 2, 3});
    narrow("units/cluster", {0, 1, 1});
    narrow("clusters/units", {1, 2});
    narrow("clusters/neurons", {0, 2});
    wide("clusters/synapses", {2, 3});
    wide("clusters/axons", {0, 2, 4});
    narrow("axons/neuron", {0, 1, 1, 3});
    wide("axons/spikes", {5, 4, 4, 6});
    narrow("axons/cells", {1, 1, 0, 1});
    for (const char *kind : {"axons/convolution", "axons/sparse"})
      narrow(kind, {0, 0, 0, 0});
    narrow("axons/dense", {0, 0, 2, 0});
    narrow("links/from", {0, kNone, kNone});
    narrow("links/to", {1, 0, 1});
    wide("links/spikes", {0, 9, 4});
    wide("links/partial_sums", {8, 0, 0});
    llvm::cantFail(file.close());
    Clustering read = someClusters();
    read.units.clear();
    read.clusters.clear();
    read.links.clear();
    ArraysReader reader(llvm::cantFail(Hdf5Reader::open(folder / "a.h5")));
    std::string fault = toText(readClusteringArrays(reader, read));
    if (fault.empty()) {
      EXPECT_EQ(read, someClusters());
    }
    return fault;
  };
  EXPECT_EQ(error("", {}), "");
  EXPECT_THAT(error("units/cluster", {0}),
              HasSubstr("data set 'units/cluster' has the extents [1], expected [3], as many as "
                        "units/neuron"));
  EXPECT_THAT(error("clusters/axons", {0, 2}), HasSubstr("clusters/axons"));
  EXPECT_THAT(error("clusters/axons", {0, 3, 2}),
              HasSubstr("data set 'clusters/axons' does not ascend from 0 to the 4 axons"));
  EXPECT_THAT(error("axons/spikes", {0, 3, 2}), HasSubstr("axons/spikes"));
  EXPECT_THAT(error("axons/dense", {0, 0, 4294967295, 0}),
              HasSubstr("axon 2 has 4294967295 cells in the 2 columns of cluster 1"));
  EXPECT_THAT(error("links/to", {1}), HasSubstr("links/to"));
}

} // namespace
