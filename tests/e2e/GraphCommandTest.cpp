// `spindle analyze` of a data-flow graph in the XML of SDF3.
#include "tests/e2e/Tool.h"

#include "core/chip/sdf/SdfAnalysis.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

/// Two actors in a circle: a fires twice, five time units each, b once.
std::string circle(const std::string &tokens, const std::string &timeOfA = "5") {
  auto actor = [](const std::string &name, const std::string &out, const std::string &in) {
    return "<actor name='" + name + "'><port name='o' type='out' rate='" + out +
           "'/><port name='i' type='in' rate='" + in + "'/></actor>\n";
  };
  auto channel = [](const std::string &name, const std::string &from, const std::string &to,
                    const std::string &initial) {
    return "<channel name='" + name + "' srcActor='" + from + "' srcPort='o' dstActor='" + to +
           "' dstPort='i' initialTokens='" + initial + "'/>\n";
  };
  auto time = [](const std::string &name, const std::string &value) {
    return "<actorProperties actor='" + name + "'><processor default='true'><executionTime time='" +
           value + "'/></processor></actorProperties>\n";
  };
  return "<?xml version='1.0'?>\n<sdf3 type='sdf'><applicationGraph name='g'><sdf name='g'>\n" +
         actor("a", "1", "1") + actor("b", "2", "2") + channel("c", "a", "b", "0") +
         channel("d", "b", "a", tokens) + "</sdf><sdfProperties>" + time("a", timeOfA) +
         time("b", "3") + "</sdfProperties></applicationGraph></sdf3>\n";
}

class GraphCommand : public ::testing::Test {
protected:
  ToolResult analyze(const std::string &text, const std::string &more = "",
                     const std::string &command = "analyze") {
    writeText(scratch / "graph.xml", text);
    return runTool(command + " '" + (scratch / "graph.xml") + "' --out '" + (scratch / "out") +
                   "' " + more);
  }
  std::string errorOf(const ToolResult &result) {
    EXPECT_EQ(result.exitCode, 1) << result.output << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    return result.errors;
  }
  ScratchFolder scratch;
};

TEST_F(GraphCommand, WritesTheGraphAndItsAnalysis) {
  ToolResult result = analyze(circle("2"));
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("period 8 time units, throughput 0.125, limited by a, b"));
  SdfGraph graph = llvm::cantFail(readSdfGraph(scratch / "out/60-sdf.json"));
  EXPECT_EQ(graph, llvm::cantFail(readSdfGraph(scratch / "graph.xml")));
  SdfAnalysis analysis = llvm::cantFail(readSdfAnalysis(scratch / "out/60-sdf-analysis.json"));
  EXPECT_FALSE(bool(verify(graph, analysis)));
  EXPECT_EQ(analysis.period, 8);
  EXPECT_TRUE(std::filesystem::exists(scratch / "out/60-sdf.dot"));
  // One more token lets a start again before b is over.
  EXPECT_THAT(analyze(circle("4")).output, HasSubstr("period 4 time units"));
}

TEST_F(GraphCommand, ErrorsNameTheFileAndThePlace) {
  std::string file = scratch / "graph.xml", place = file + ": data-flow graph 'g': error: ";
  EXPECT_EQ(errorOf(analyze(circle("0"))),
            place + "deadlock: a waits for b waits for a; put initial tokens on a channel of this "
                    "cycle\n");
  EXPECT_EQ(errorOf(analyze(circle("2"), "--set analysis.maximum_firings=1")),
            place + "more than 1 firings around a, b decide the throughput; choose rates with "
                    "common factors or raise maximum_firings\n");
  EXPECT_THAT(errorOf(analyze(circle("2"), "--set emulation.steps=4")),
              HasSubstr("graph.xml: error: unknown key 'emulation'"));
  EXPECT_THAT(errorOf(analyze(circle("2", "many"))), HasSubstr("error: time 'many', expected"));
  EXPECT_THAT(errorOf(analyze("<sdf3/>")), HasSubstr("no sdf3/applicationGraph element"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out"));
}

TEST_F(GraphCommand, OtherCommandsDoNotQuoteTheWholeFile) {
  for (const char *command : {"run", "partition"}) {
    std::string error = errorOf(analyze(circle("2"), "", command));
    EXPECT_THAT(error, HasSubstr("graph.xml"));
    EXPECT_LT(error.size(), scratch.path.size() + 300) << error;
  }
}

} // namespace
/// a makes 1 in the given time, b takes 2 in 3: two places deadlock nothing, the circle has two.
TEST_F(GraphCommand, WritesTheBuffersOfEveryThroughput) {
  ToolResult result = analyze(circle("4"), "--storage");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  auto front = readJsonFile(scratch / "out/60-sdf-storage.json");
  EXPECT_EQ(front["format"], "spindle-sdf-storage");
  EXPECT_TRUE(front["complete"]);
  ASSERT_FALSE(front["points"].empty());
  const auto &last = front["points"].back();
  SdfAnalysis analysis = llvm::cantFail(readSdfAnalysis(scratch / "out/60-sdf-analysis.json"));
  EXPECT_EQ(last["period"], analysis.period);
  for (const auto &point : front["points"]) {
    EXPECT_EQ(point["capacities"].size(), 2u);
    EXPECT_EQ(point["capacities"][0].get<int>() + point["capacities"][1].get<int>(),
              point["tokens"].get<int>());
    EXPECT_THAT(result.output, HasSubstr(point["tokens"].dump() + " tokens: period "));
  }
  EXPECT_EQ(
      errorOf(runTool("analyze configs/flows/digits-mlp.yaml --storage --out '" +
                      (scratch / "flow") + "'")),
      "configs/flows/digits-mlp.yaml: error: --storage is for data-flow graphs in XML (SDF3), "
      "found a flow\n");
}

/// Two tiles with half of each wheel.
std::string twoTiles() {
  std::string tiles;
  for (const char *name : {"tile_0", "tile_1"})
    tiles += std::string("<tile name='") + name +
             "'><processor type='p'><arbitration type='TDMA' wheelsize='4'/></processor>"
             "<memory size='100'/><networkInterface nrConnections='4' inBandwidth='9' "
             "outBandwidth='9'/></tile>\n";
  return "<sdf3><architectureGraph name='two'>\n" + tiles + "</architectureGraph></sdf3>\n";
}

/// a twice and b once: 2 · 5 + 3 time units of work on a tile.
TEST_F(GraphCommand, RunsTheGraphOnTiles) {
  std::string graph = circle("4");
  for (size_t at = 0; (at = graph.find("default='true'", at)) != std::string::npos; at += 20)
    graph.insert(at, "type='p' ");
  writeText(scratch / "tiles.xml", twoTiles());
  writeText(scratch / "binding.txt", "0 a b\n");
  std::string tiles = "--architecture '" + (scratch / "tiles.xml") + "' ",
              binding = tiles + "--binding '" + (scratch / "binding.txt") + "' ";
  ToolResult result = analyze(graph, binding + "--set binding.slice=2");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("on tiles: period 26"));
  EXPECT_THAT(result.output, HasSubstr("tile_0 (2 of 4): "));
  EXPECT_TRUE(std::filesystem::exists(scratch / "out/60-sdf-binding.json"));
  result = analyze(graph, tiles); // the tiles are not connected: both actors on one of them
  EXPECT_THAT(result.output, HasSubstr("on tiles: period 13, the best of 4 bindings"));

  std::filesystem::remove_all(scratch / "out");
  EXPECT_THAT(errorOf(analyze(graph, tiles + "--set binding.tdma=fair")),
              HasSubstr("tdma is 'fair', expected exact or sdf3"));
  EXPECT_THAT(errorOf(analyze(graph, "--set binding.slice=1")), HasSubstr("unknown key 'binding'"));
  writeText(scratch / "binding.txt", "0 a\n5 b\n");
  EXPECT_THAT(
      errorOf(analyze(graph, binding)),
      HasSubstr("binding.txt:2:1: error: unknown tile '5', expected one of tile_0, tile_1"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out"));
  writeText(scratch / "flow.yaml", "model: {path: x.onnx}\n");
  EXPECT_THAT(errorOf(runTool("analyze '" + (scratch / "flow.yaml") + "' " + tiles)),
              HasSubstr("--architecture is for data-flow graphs in XML (SDF3), found a flow"));
}

} // namespace spindle::test
