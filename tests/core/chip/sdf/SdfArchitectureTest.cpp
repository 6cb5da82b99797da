// Architectures of SDF3, and bindings to their tiles.
#include "core/chip/sdf/Sdf3Xml.h"
#include "core/chip/sdf/TileBinding.h"
#include "tests/sdf/PublishedGraphs.h"
#include "gmock/gmock.h"

#include <fstream>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::string fileWith(const std::string &name, const std::string &text) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

const std::string kMemory = "<memory size='100'/>";
const std::string kInterface = "<networkInterface nrConnections='2' inBandwidth='3' "
                               "outBandwidth='4'/>";
const std::string kProcessor =
    "<processor type='p'><arbitration type='TDMA' wheelsize='8'/></processor>";

std::string tileWith(const std::string &name, const std::string &inside) {
  return "<tile name='" + name + "'>" + inside + "</tile>\n";
}
std::string architectureWith(const std::string &inside) {
  return "<sdf3>\n<architectureGraph name='x'>\n" + inside + "</architectureGraph></sdf3>";
}
const std::string kTwoTiles =
    tileWith("tile_0", kProcessor + kMemory + kInterface) +
    tileWith("tile_1", "<processor type='q'/>" + kMemory + kInterface) +
    "<connection name='c' srcTile='tile_0' dstTile='tile_1' delay='3'/>\n";

TEST(SdfArchitecture, ReadsTilesAndConnections) {
  SdfArchitecture found =
      llvm::cantFail(readSdf3Architecture(fileWith("arch.xml", architectureWith(kTwoTiles))));
  EXPECT_EQ(found,
            (SdfArchitecture{"x",
                             {{"tile_0", "p", 8, 100, 2, 3, 4}, {"tile_1", "q", 0, 100, 2, 3, 4}},
                             {{"c", 0, 1, 3}}}));
  EXPECT_EQ(found.between(0, 1)->delay, 3u);
  EXPECT_EQ(found.between(1, 0), nullptr);
}

TEST(SdfArchitecture, PublishedOnesAreRead) {
  for (auto [name, tiles, connections] :
       {std::tuple{"neuromorphic.4.xml", 4u, 12u}, {"arch.xml", 5u, 20u}}) {
    std::string path = publishedGraph(name);
    if (path.empty())
      GTEST_SKIP() << "test data absent: sdf/ (set SPINDLE_DATA)";
    SdfArchitecture found = llvm::cantFail(readSdf3Architecture(path));
    EXPECT_EQ(found.tiles.size(), tiles);
    EXPECT_EQ(found.connections.size(), connections);
  }
}

TEST(SdfArchitecture, ErrorsNameThePlace) {
  struct Case {
    std::string text, error;
  };
  std::string good = kProcessor + kMemory + kInterface;
  for (const Case &each : {
           Case{"<sdf3/>",
                "error: no sdf3/architectureGraph element; expected an SDF3 architecture"},
           {architectureWith(""), "2:2: error: no tile, expected at least one"},
           {architectureWith(tileWith("", good)), "3:2: error: tile without a name"},
           {architectureWith(tileWith("a", good) + tileWith("a", good)),
            "4:2: error: second tile 'a'; names must differ"},
           {architectureWith(tileWith("a", kMemory)),
            "3:2: error: tile 'a' has no processor with a type"},
           {architectureWith(tileWith("a", kProcessor + kInterface)),
            "3:2: error: tile 'a' has no memory"},
           {architectureWith(tileWith("a", kProcessor + kMemory)),
            "3:2: error: tile 'a' has no networkInterface"},
           {architectureWith(
                tileWith("a", "<processor type='p'><arbitration type='FCFS'/></processor>")),
            "3:37: error: arbitration 'FCFS', expected TDMA"},
           {architectureWith(tileWith(
                "a", "<processor type='p'><arbitration type='TDMA' wheelsize='0'/></processor>")),
            "3:37: error: wheelsize '0', expected a whole number from 1 to 18446744073709551615"},
           {architectureWith(kTwoTiles + "<connection srcTile='tile_0' dstTile='z' delay='1'/>"),
            "6:2: error: dstTile 'z' is not a tile of this architecture"},
           {architectureWith(kTwoTiles +
                             "<connection srcTile='tile_0' dstTile='tile_1' delay='-1'/>"),
            "6:2: error: delay '-1', expected a whole number from 0 to 18446744073709551615"},
       }) {
    llvm::Expected<SdfArchitecture> found = readSdf3Architecture(fileWith("arch.xml", each.text));
    ASSERT_FALSE(bool(found)) << each.error;
    std::string error = toText(found.takeError());
    EXPECT_EQ(error.substr(error.find("arch.xml:") + 9 + (each.text == "<sdf3/>")), each.error);
  }
}

class BindingText : public testing::Test {
protected:
  llvm::Expected<TileBinding> read(const std::string &text) {
    return readTileBinding(fileWith("binding.txt", text), graph, tiles);
  }
  std::string errorOf(const std::string &text) {
    llvm::Expected<TileBinding> binding = read(text);
    std::string error = binding ? "" : toText(binding.takeError());
    return error.substr(std::min(error.size(), error.find("binding.txt")));
  }
  SdfGraph graph{"g", {{"actor_0", 1}, {"actor_7", 1}, {"sum", 1}}, {}};
  SdfArchitecture tiles =
      llvm::cantFail(readSdf3Architecture(fileWith("arch.xml", architectureWith(kTwoTiles))));
};

TEST_F(BindingText, TakesNamesAndTheirNumbers) {
  TileBinding binding = llvm::cantFail(read("# tile, actors\n1 7 sum\r\n\n tile_0\tactor_0 # all"));
  EXPECT_THAT(binding.tiles, ElementsAre(0u, 1u, 1u));
  EXPECT_THAT(binding.orders, ElementsAre(ElementsAre(0u), ElementsAre(1u, 2u)));
}

TEST_F(BindingText, ErrorsNameThePlace) {
  EXPECT_EQ(errorOf("0 0\n2 7"),
            "binding.txt:2:1: error: unknown tile '2', expected one of tile_0, tile_1");
  EXPECT_EQ(errorOf("0 0 3"),
            "binding.txt:1:5: error: unknown actor '3', expected one of actor_0, actor_7, sum");
  EXPECT_EQ(errorOf("0 0 7\n1 sum 7"),
            "binding.txt:2:7: error: actor 'actor_7' is on tile 'tile_0' "
            "already; an actor runs on one tile");
  EXPECT_EQ(errorOf("0 0 7"), "binding.txt: error: actor 'sum' is on no tile; add it to a line");
  EXPECT_EQ(errorOf("0 \xff"), "binding.txt:1:3: error: not UTF-8; save the file as UTF-8");
}

TEST(Sdf3Xml, ReadsTheThroughputThatIsAskedFor) {
  auto graph = [](const std::string &throughput) {
    return "<sdf3><applicationGraph name='g'><sdf><actor name='a'/></sdf><sdfProperties>\n"
           "<actorProperties actor='a'><processor default='true' type='p'><executionTime time='2'/>"
           "<memory><stateSize max='5'/></memory></processor><processor type='q'><executionTime "
           "time='3'/></processor></actorProperties>\n<graphProperties><timeConstraints>"
           "<throughput>" +
           throughput +
           "</throughput></timeConstraints></graphProperties></sdfProperties>"
           "</applicationGraph></sdf3>";
  };
  SdfApplication found =
      llvm::cantFail(readSdf3Application(fileWith("graph.xml", graph(" 0.25\n"))));
  EXPECT_EQ(found.throughput, 0.25);
  EXPECT_THAT(found.processors,
              ElementsAre(ElementsAre(SdfProcessor{"p", 2, 5}, SdfProcessor{"q", 3, 0})));
  EXPECT_THAT(toText(readSdf3Application(fileWith("graph.xml", graph("much"))).takeError()),
              testing::EndsWith("graph.xml:3:36: error: throughput 'much', expected iterations per "
                                "time unit, a number of at least 0"));
}

} // namespace
} // namespace spindle
