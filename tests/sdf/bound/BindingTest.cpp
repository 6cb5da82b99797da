// Throughput of data-flow graphs on tiles: figures of SDF3, and random graphs beside an execution
// of their tiles.
#include "lib/sdf/Repetitions.h"
#include "lib/sdf/bound/BindingFile.h"
#include "tests/sdf/PublishedGraphs.h"
#include "tests/sdf/RandomSdf.h"
#include "tests/sdf/bound/TileExecution.h"
#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// `count` tiles of one kind with a wheel each, all connected.
SdfArchitecture tilesOf(size_t count, std::vector<uint64_t> wheels, uint64_t delay = 0) {
  SdfArchitecture result{"tiles", {}, {}};
  for (size_t t = 0; t < count; ++t)
    result.tiles.push_back(
        {"t" + std::to_string(t), "p", wheels[t % wheels.size()], 1 << 20, 64, 1 << 20, 1 << 20});
  for (SdfTileId a = 0; a < count; ++a)
    for (SdfTileId b = 0; b < count; ++b)
      if (a != b)
        result.connections.push_back({"", a, b, delay});
  return result;
}

SdfApplication applicationOf(SdfGraph graph) {
  SdfApplication result{std::move(graph), {}, 0};
  for (const SdfActor &actor : result.graph.actors)
    result.processors.push_back({{"p", actor.executionTime, 1}});
  for (SdfChannel &channel : result.graph.channels)
    channel.tokenBits = 1;
  return result;
}

TileBinding boundTo(std::vector<SdfTileId> tiles, size_t count) {
  return {std::move(tiles), std::vector<std::vector<ActorId>>(count),
          std::vector<uint64_t>(count, 0)};
}

/// a takes 2, then b takes 3, one token between them, two places.
SdfApplication pair() {
  return applicationOf({"g", {{"a", 2}, {"b", 3}}, {{0, 1, 1, 1, 0, 1}, {1, 0, 1, 1, 2, 1}}});
}

std::string errorOf(llvm::Expected<BindingAnalysis> result) {
  return result ? "" : toText(result.takeError());
}

TEST(Binding, OfTwoActorsByHand) {
  SdfApplication application = pair();
  // One after the other.
  BindingAnalysis one =
      llvm::cantFail(analyzeBinding("f", application, tilesOf(1, {0}), boundTo({0, 0}, 1), {}, {}));
  EXPECT_EQ(one.period, (CycleRatio{5, 1}));
  EXPECT_THAT(one.binding.orders, ElementsAre(ElementsAre(0u, 1u)));
  // With one of two time units of the wheel twice as long.
  BindingOptions half;
  half.slice = 1;
  EXPECT_EQ(llvm::cantFail(
                analyzeBinding("f", application, tilesOf(1, {2}), boundTo({0, 0}, 1), {}, half))
                .period,
            (CycleRatio{10, 1}));
}

class PublishedBinding : public testing::Test {
protected:
  void SetUp() override {
    std::string graph = publishedGraph("LeNet-MNIST.xml"),
                tiles = publishedGraph("neuromorphic.4.xml");
    if (graph.empty() || tiles.empty())
      GTEST_SKIP() << "test data absent: sdf/ (set SPINDLE_DATA)";
    application = llvm::cantFail(readSdf3Application(graph));
    architecture = llvm::cantFail(readSdf3Architecture(tiles));
  }
  BindingAnalysis analysisOf(const std::string &file, WheelRule rule, int64_t slice = 0) {
    BindingOptions options;
    options.rule = rule;
    options.slice = slice;
    TileBinding binding =
        llvm::cantFail(readTileBinding(publishedGraph(file), application.graph, architecture));
    return llvm::cantFail(analyzeBinding(file, application, architecture, binding, {}, options));
  }
  SdfApplication application;
  SdfArchitecture architecture;
};

TEST_F(PublishedBinding, OneTileIsReproduced) {
  EXPECT_EQ(application.throughput, 0.003);
  BindingAnalysis found = analysisOf("tile_binding_1.txt", WheelRule::Sdf3);
  EXPECT_EQ(found.period, (CycleRatio{280, 1}));
  EXPECT_THAT(found.binding.slices, ElementsAre(3u, 0u, 0u, 0u));
  // Seven firings of 16 take 112 time units of the slice, 3 of 8: no less than 298 2/3.
  EXPECT_EQ(analysisOf("tile_binding_1.txt", WheelRule::Exact).period, (CycleRatio{896, 3}));
}

TEST_F(PublishedBinding, TwoTilesAreReproduced) {
  for (WheelRule rule : {WheelRule::Sdf3, WheelRule::Exact}) {
    BindingAnalysis found = analysisOf("tile_binding_2.txt", rule);
    EXPECT_EQ(found.period, (CycleRatio{296, 1}));
    EXPECT_THAT(found.binding.slices, ElementsAre(2u, 2u, 0u, 0u));
    EXPECT_TRUE(found.selfTimedAgrees);
  }
}

TEST_F(PublishedBinding, ABetterOneIsFound) {
  for (WheelRule rule : {WheelRule::Sdf3, WheelRule::Exact}) {
    BindingOptions options;
    options.rule = rule;
    options.candidates = 1500;
    BindingAnalysis found =
        llvm::cantFail(findBinding("arch", application, architecture, {}, options));
    EXPECT_LT(found.period.value(), 280);
    EXPECT_GE(1 / found.period.value(), application.throughput);
  }
}

TEST(Binding, FilesComeBack) {
  SdfApplication application = pair();
  SdfArchitecture architecture = tilesOf(2, {8, 0}, 1);
  BindingFile file = toFile(
      application, architecture,
      llvm::cantFail(analyzeBinding("f", application, architecture, boundTo({0, 1}, 2), {}, {})));
  std::string path = testing::TempDir() + "binding.json";
  llvm::cantFail(writeBinding(path, file));
  EXPECT_EQ(llvm::cantFail(readBinding(path)), file);
  EXPECT_EQ(file.channels[0].sourceCapacity, 1u);
  EXPECT_EQ(file.channels[0].capacity, std::nullopt);
}

/// 300 random bindings with random wheels and slices.
TEST(Binding, EqualsTheExecutionOfItsTiles) {
  uint32_t compared = 0, connected = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CounterRandom random(1000 + seed);
    SdfGraph graph = randomSdf(seed, 2 + random.below(3), 2).graph;
    for (SdfActor &actor : graph.actors)
      actor.executionTime = 1 + random.below(5);
    SdfApplication application = applicationOf(graph);
    size_t count = 1 + random.below(3);
    SdfArchitecture architecture =
        tilesOf(count, {random.below(7), random.below(5), 4}, random.below(3));
    std::vector<SdfTileId> tiles;
    for (size_t a = 0; a < graph.actors.size(); ++a)
      tiles.push_back(random.below(uint32_t(count)));
    BindingOptions options;
    uint64_t smallest = 4;
    for (const SdfTile &tile : architecture.tiles)
      smallest = std::min(smallest, tile.wheel);
    if (smallest > 0)
      options.slice = 1 + random.below(uint32_t(smallest));
    llvm::Expected<BindingAnalysis> found =
        analyzeBinding("f", application, architecture, boundTo(tiles, count), {}, options);
    if (!found) { // buffers that are enough on one tile, not with connections
      EXPECT_THAT(toText(found.takeError()), HasSubstr("deadlock"));
      continue;
    }
    ++compared;
    connected += std::set<SdfTileId>(tiles.begin(), tiles.end()).size() > 1;
    std::vector<uint64_t> repetitions = llvm::cantFail(repetitionVector(graph));
    std::optional<double> executed =
        TileExecution(application, architecture, *found).period(repetitions[0]);
    ASSERT_TRUE(executed) << "seed " << seed;
    EXPECT_NEAR(found->period.value(), *executed, 1e-9) << "seed " << seed;
  }
  EXPECT_GT(compared, 200u);
  EXPECT_GT(connected, 80u);
}

/// All bindings of small graphs, and how near moves and exchanges come to the best.
TEST(Binding, TheBestIsTheBestOfAll) {
  double best = 0, moved = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SdfApplication application = applicationOf(randomSdf(seed, 4, 2).graph);
    SdfArchitecture architecture = tilesOf(3, {4, 6}, 1);
    BindingOptions options;
    options.slice = 2;
    CycleRatio fastest{UINT32_MAX, 1};
    for (uint32_t code = 0; code < 81; ++code) {
      llvm::Expected<BindingAnalysis> each = analyzeBinding(
          "f", application, architecture,
          boundTo({code % 3, code / 3 % 3, code / 9 % 3, code / 27}, 3), {}, options);
      if (each)
        fastest = std::min(fastest, each->period);
      else
        llvm::consumeError(each.takeError());
    }
    BindingAnalysis found =
        llvm::cantFail(findBinding("f", application, architecture, {}, options));
    EXPECT_EQ(found.period, fastest) << "seed " << seed;
    EXPECT_EQ(found.candidates, 81u);
    options.candidates = 80; // not all
    BindingAnalysis near = llvm::cantFail(findBinding("f", application, architecture, {}, options));
    EXPECT_GE(near.period, fastest);
    best += fastest.value();
    moved += near.period.value();
  }
  EXPECT_LE(moved, best * 1.05);
}

TEST(Binding, ErrorsNameWhatIsMissing) {
  SdfApplication application = pair();
  auto error = [&](const SdfArchitecture &architecture, BindingOptions options = {},
                   std::vector<SdfTileId> tiles = {0, 1}) {
    return errorOf(analyzeBinding("b.txt", application, architecture,
                                  boundTo(std::move(tiles), architecture.tiles.size()), {},
                                  options));
  };
  SdfArchitecture other = tilesOf(2, {8});
  other.tiles[1].processor = "dsp";
  EXPECT_EQ(error(other), "b.txt: error: actor 'b' has no time on processors of type 'dsp', which "
                          "tile 't1' has; bind it to another tile");
  SdfArchitecture apart = tilesOf(2, {8});
  apart.connections.clear();
  EXPECT_EQ(error(apart), "b.txt: error: no connection from tile 't0' to tile 't1', which the "
                          "channel from 'a' to 'b' needs; bind both actors to one tile");
  SdfArchitecture small = tilesOf(2, {8});
  small.tiles[0].memory = 2;
  EXPECT_EQ(error(small), "b.txt: error: tile 't0' needs 3 bits of memory and has 2; bind fewer "
                          "actors to it");
  SdfArchitecture few = tilesOf(2, {8});
  few.tiles[1].connections = 1;
  EXPECT_EQ(error(few), "b.txt: error: tile 't1' needs 2 connections and has 1; bind fewer actors "
                        "to it, or more of those they exchange tokens with");
  SdfArchitecture narrow = tilesOf(2, {8});
  narrow.tiles[0].outBandwidth = 0;
  EXPECT_THAT(error(narrow), HasSubstr("of bandwidth out and has 0; bind fewer actors to it"));
  BindingOptions large;
  large.slice = 9;
  EXPECT_EQ(error(tilesOf(2, {8}), large),
            "b.txt: error: slice 9 is larger than the wheel of tile 't0', 8 time units; choose a "
            "smaller slice");
  SdfOptions scarce;
  scarce.maximumFirings = 1;
  EXPECT_EQ(errorOf(findBinding("a.xml", application, tilesOf(1, {8}), scarce, {})),
            "a.xml: error: one iteration has more than 1 firings, which an order of a tile would "
            "list; choose rates with common factors or raise maximum_firings");
  application.throughput = 0.25; // 1/3 without tiles, 1/5 on one
  EXPECT_EQ(error(tilesOf(1, {8}), {}, {0, 0}),
            "b.txt: error: throughput 0.25 is asked for, but this binding reaches 0.2 with whole "
            "wheels; bind the actors to other tiles");
  EXPECT_EQ(errorOf(findBinding("a.xml", application, tilesOf(1, {8}), {}, {})),
            "a.xml: error: none of 1 bindings fits: throughput 0.25 is asked for, but this binding "
            "reaches 0.2 with whole wheels; give tiles that take the graph, or ask for less "
            "throughput");
  BindingOptions hasty;
  hasty.candidates = 1;
  EXPECT_THAT(errorOf(findBinding("a.xml", application, tilesOf(2, {8}), {}, hasty)),
              HasSubstr("; raise binding.candidates, give tiles that take the graph, or"));
  SdfArchitecture analogue = tilesOf(2, {8});
  for (SdfTile &tile : analogue.tiles)
    tile.processor = "analogue";
  EXPECT_THAT(errorOf(findBinding("a.xml", application, analogue, {}, {})),
              HasSubstr("none of 4 bindings fits: actor 'a' has no time on processors of type "
                        "'analogue', which tile 't0' has; give tiles"));
  application.throughput = 2;
  EXPECT_EQ(error(tilesOf(1, {8}), {}, {0, 0}),
            "b.txt: error: throughput 2 is asked for, but without tiles the graph reaches "
            "0.3333333333333333 at most; ask for less");
}

/// b before a, though a makes what b takes.
TEST(Binding, AListedOrderThatWaitsForItselfIsRefused) {
  SdfApplication application = pair();
  BindingOptions options;
  options.orders = StaticOrders::Listed;
  TileBinding binding = boundTo({0, 0}, 1);
  binding.orders[0] = {1, 0};
  EXPECT_EQ(
      errorOf(analyzeBinding("b.txt", application, tilesOf(1, {0}), binding, {}, options)),
      "b.txt: error: deadlock: a waits for b waits for a; change the order of a tile, or bind "
      "these actors to one tile");
  binding.orders[0] = {0, 1};
  EXPECT_EQ(
      llvm::cantFail(analyzeBinding("b.txt", application, tilesOf(1, {0}), binding, {}, options))
          .period,
      (CycleRatio{5, 1}));
  EXPECT_EQ(errorOf(findBinding("a.xml", application, tilesOf(1, {0}), {}, options)),
            "a.xml: error: binding.order is listed, but no binding lists an order; give one, or "
            "leave the key out");
}

} // namespace
} // namespace spindle
