// NIR files: what is written is read, and damaged files are refused.
#include "core/support/files/DataPath.h"
#include "core/support/formats/Hdf5.h"
#include "tests/frontend/nir/NirModels.h"
#include "tests/support/TemporaryFolder.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::HasSubstr;

namespace {

std::string readError(const std::string &path) { return toText(readNirGraph(path).takeError()); }

} // namespace

TEST(NirFile, WhatIsWrittenIsRead) {
  TemporaryFolder folder;
  NirNode inner = nirChain({2}, {nirLif("lif", 2)}, {2}).root;
  inner.name = "part";
  NirGraph graph = nirChain({2}, {inner}, {2});
  std::swap(graph.root.nodes[1], graph.root.nodes[2]); // read sorted by name
  graph.root.nodes[2].metadata["author"] = nirText("somebody");
  graph.root.nodes.push_back({"wide", "Linear", {{"weight", nirRamp({70, 80})}}, {}, {}, {}});
  graph.root.nodes[0].metadata["count"] = nirIntegers({}, {-3});
  graph.root.nodes[0].metadata["fine"] = {NirType::Float64, {1}, {0.1}, {}};
  llvm::cantFail(writeNirGraph(folder / "a.nir", graph));
  EXPECT_EQ(llvm::cantFail(readNirGraph(folder / "a.nir")), graph);
}

TEST(NirFile, DamagedFilesAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.write("a.nir", "text");
  EXPECT_EQ(readError(path), path + ": error: not an HDF5 file");
  auto with = [&](auto fill) {
    Hdf5Writer file = llvm::cantFail(Hdf5Writer::create(path));
    fill(file);
    llvm::cantFail(file.close());
    return readError(path);
  };
  auto text = [](Hdf5Writer &file, const char *name, const char *value) {
    llvm::cantFail(file.writeArray(name, {}, std::vector<std::string>{value}));
  };
  EXPECT_EQ(with([&](Hdf5Writer &file) { text(file, "nodes", "x"); }),
            path + ": error: 'node/type' is absent, this is no NIR file");
  EXPECT_EQ(with([&](Hdf5Writer &file) { text(file, "node/type", "LIF"); }),
            path + ": error: holds a single node of type 'LIF', expected a NIRGraph");
  EXPECT_EQ(with([&](Hdf5Writer &file) {
              llvm::cantFail(file.writeArray("node/type", {2}, std::vector<std::string>{"a", "b"}));
            }),
            path + ": error: 'node/type' holds 2 texts, expected one");
  auto graph = [&](Hdf5Writer &file, std::vector<uint64_t> extents, std::vector<std::string> ends) {
    text(file, "node/type", "NIRGraph");
    llvm::cantFail(file.writeArray("node/edges", extents, ends));
  };
  EXPECT_EQ(with([&](Hdf5Writer &file) { graph(file, {2}, {"a", "b"}); }),
            path + ": error: 'node/edges' is no list of pairs, expected two names per edge");
  EXPECT_EQ(with([&](Hdf5Writer &file) { graph(file, {1, 2}, {"a", "b"}); }),
            path + ": error: group 'node/nodes' is absent");
  EXPECT_EQ(with([&](Hdf5Writer &file) {
              graph(file, {1, 2}, {"a", "b"});
              text(file, "node/nodes/a/type", "LIF");
              text(file, "node/nodes/a/tau/deep", "x");
            }),
            path + ": error: 'node/nodes/a/tau' holds neither numbers nor texts, expected a data "
                   "set");
  EXPECT_EQ(with([&](Hdf5Writer &file) {
              graph(file, {1, 2}, {"a", "b"});
              text(file, "node/nodes/a/type", "LIF");
            }),
            path + ": error: the edge from 'a' to 'b' names node 'b', which is not in this graph; "
                   "there are: a; write the file again with the names that its nodes have");
  EXPECT_EQ(with([&](Hdf5Writer &file) {
              std::string nested = "node";
              for (int depth = 0; depth < 20; ++depth, nested += "/nodes/g") {
                text(file, (nested + "/type").c_str(), "NIRGraph");
                llvm::cantFail(
                    file.writeArray(nested + "/edges", {0, 2}, std::vector<std::string>{}));
              }
            }),
            path + ": error: graphs are nested more than 16 deep");
  EXPECT_EQ(with([&](Hdf5Writer &file) {
              graph(file, {1, 2}, {"a", "b"});
              for (int n = 0; n <= 20000; ++n)
                text(file, fmt::format("node/nodes/n{}/type", n).c_str(), "Output");
            }),
            path + ": error: has more than 20000 nodes, those of graphs within graphs counted "
                   "wherever they stand");
}
