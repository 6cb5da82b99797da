#include "lib/sdf/Analyze.h"

#include "tests/sdf/PublishedGraphs.h"
#include "tests/sdf/RandomSdf.h"
#include "gmock/gmock.h"

#include <cmath>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SdfAnalysis analyzed(const SdfGraph &graph, const SdfOptions &options = {}) {
  auto analysis = analyze(graph, options);
  if (!analysis) {
    ADD_FAILURE() << toText(analysis.takeError());
    return {};
  }
  return *analysis;
}

std::string errorOf(const SdfGraph &graph, const SdfOptions &options = {}) {
  return toText(analyze(graph, options).takeError());
}

// Throughput measured with SDF3 on its own graphs; the periods follow from the execution times by
// hand where the limiting actor stands alone on a cycle.
struct Published {
  const char *file;
  double throughput;
  double tolerance; // half a unit of the last digit published
  double period;
};
class PublishedThroughput : public testing::TestWithParam<Published> {};
TEST_P(PublishedThroughput, IsReproduced) {
  std::string path = publishedGraph(GetParam().file);
  if (path.empty())
    GTEST_SKIP() << "test data absent: sdf/" << GetParam().file << " (set SPINDLE_DATA)";
  auto graph = readSdfGraph(path);
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  SdfAnalysis analysis = analyzed(*graph);
  EXPECT_NEAR(analysis.throughput, GetParam().throughput, GetParam().tolerance);
  EXPECT_EQ(analysis.period, GetParam().period);
  EXPECT_TRUE(analysis.selfTimedAgrees);
}
INSTANTIATE_TEST_SUITE_P(Sdf3, PublishedThroughput,
                         testing::Values(Published{"LeNet-MNIST.xml", 0.0625, 0, 16},
                                         Published{"modem.xml", 0.0625, 0, 16},
                                         Published{"samplerate.xml", 1. / 960, 0, 960},
                                         Published{"h263decoder.xml", 3.01163e-06, 5e-12,
                                                   332046}, // 594 · 559
                                         Published{"mp3decoder_granule_parallelism.xml",
                                                   3.58873e-06, 5e-12, 278650}), // 2 · 139325
                         [](const auto &instance) {
                           std::string name = instance.param.file;
                           return name.substr(0, name.find_first_of("-.") == std::string::npos
                                                     ? name.size()
                                                     : name.find_first_of("-."));
                         });

TEST(Analyze, LatencyOfTheVideoDecoderInClosedForm) {
  std::string path = publishedGraph("h263decoder.xml");
  if (path.empty())
    GTEST_SKIP() << "test data absent: sdf/h263decoder.xml (set SPINDLE_DATA)";
  // vld, then 594 times iq one after another, the last block through idct, then mc.
  EXPECT_EQ(analyzed(*readSdfGraph(path)).latency, 13009u + 594 * 559 + 486 + 5479);
}

// Two actors in a circle with d tokens: the circle passes d iterations per turn, an actor with a
// channel to itself at most one at a time.
TEST(Analyze, CircleWithTokensInClosedForm) {
  for (uint64_t tokens = 1; tokens <= 4; ++tokens) {
    SdfGraph graph{"g", {{"a", 5}, {"b", 3}}, {{0, 1, 1, 1, 0, 0}, {1, 0, 1, 1, tokens, 0}}};
    EXPECT_EQ(analyzed(graph).period, 8. / double(tokens));
    EXPECT_THAT(analyzed(graph).criticalCycle, ElementsAre(0, 1));
    graph.channels.push_back({0, 0, 1, 1, 1, 0});
    EXPECT_EQ(analyzed(graph).period, tokens == 1 ? 8. : 5.);
    EXPECT_EQ(analyzed(graph).latency, 8u);
  }
}

// Ratios closer together than the tolerance of Howard's algorithm in Boost, 0.005 per cycle.
TEST(Analyze, NearlyEqualCyclesAreToldApart) {
  SdfGraph graph{"g", {{"a", 1}}, {{0, 0, 1, 1, 1001, 0}, {0, 0, 1, 1, 1000, 0}}};
  EXPECT_EQ(analyzed(graph).period, 1. / 1000);
}

TEST(Analyze, BothMethodsAgreeOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomSdf random = randomSdf(seed, 2 + seed % 7, 6);
    SdfAnalysis analysis = analyzed(random.graph);
    EXPECT_TRUE(analysis.selfTimedAgrees) << "seed " << seed;
    EXPECT_EQ(analysis.repetitions, random.repetitions);
  }
}

TEST(Analyze, NamesOfActorsDoNotMatter) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomSdf random = randomSdf(seed, 6, 5);
    CounterRandom shuffle(seed, 1);
    std::vector<ActorId> renamed{0, 1, 2, 3, 4, 5};
    for (uint32_t i = 5; i > 0; --i)
      std::swap(renamed[i], renamed[shuffle.below(i + 1)]);
    SdfGraph other{"other", std::vector<SdfActor>(6), random.graph.channels};
    for (ActorId a = 0; a < 6; ++a)
      other.actors[renamed[a]] = random.graph.actors[a];
    for (SdfChannel &channel : other.channels) {
      channel.source = renamed[channel.source];
      channel.target = renamed[channel.target];
    }
    std::reverse(other.channels.begin(), other.channels.end());
    SdfAnalysis before = analyzed(random.graph), after = analyzed(other);
    EXPECT_EQ(before.period, after.period);
    EXPECT_EQ(before.latency, after.latency);
    for (ActorId a = 0; a < 6; ++a)
      EXPECT_EQ(before.repetitions[a], after.repetitions[renamed[a]]);
  }
}

TEST(Analyze, SlowerActorNeverRaisesTheThroughputAndMoreTokensNeverLowerIt) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomSdf random = randomSdf(seed, 5, 5);
    CounterRandom choose(seed, 1);
    SdfAnalysis before = analyzed(random.graph);
    SdfGraph slower = random.graph, richer = random.graph;
    PerPhase<uint64_t> &time = slower.actors[choose.below(5)].executionTime;
    time = time.total() + 1 + choose.below(10);
    richer.channels[choose.below(10)].initialTokens += 1 + choose.below(10);
    EXPECT_LE(analyzed(slower).throughput, before.throughput);
    EXPECT_GE(analyzed(slower).latency, before.latency);
    EXPECT_GE(analyzed(richer).throughput, before.throughput);
    EXPECT_LE(analyzed(richer).latency, before.latency);
  }
}

TEST(Analyze, SaysWhenTheSelfTimedExecutionWasTooLong) {
  SdfGraph graph{"g", {{"a", 5}, {"b", 3}}, {{0, 1, 1, 1, 0, 0}, {1, 0, 1, 1, 1, 0}}};
  SdfOptions options;
  options.selfTimedFirings = 1;
  EXPECT_FALSE(analyzed(graph, options).selfTimedAgrees);
  EXPECT_EQ(analyzed(graph, options).period, 8);
}

TEST(Analyze, NamesTheActorsOfADeadlock) {
  SdfGraph graph{"g",
                 {{"in", 1}, {"a", 1}, {"b", 1}, {"out", 1}},
                 {{0, 1, 1, 1, 0, 0}, {1, 2, 2, 1, 0, 0}, {2, 1, 1, 2, 1, 0}, {2, 3, 1, 1, 0, 0}}};
  EXPECT_EQ(errorOf(graph), "data-flow graph 'g': error: deadlock: a waits for b waits for a; put "
                            "initial tokens on a channel of this cycle");
  graph.channels[2].initialTokens = 2;
  EXPECT_EQ(analyzed(graph).period, 2);
  graph.channels.push_back({3, 3, 1, 1, 0, 0});
  EXPECT_THAT(errorOf(graph), HasSubstr("deadlock: out waits for out;"));
}

TEST(Analyze, RefusesWhatHasNoAnswer) {
  SdfGraph graph{"g", {{"a", 1}, {"b", 1}}, {{0, 1, 1, 1, 0, 0}}};
  EXPECT_EQ(errorOf(graph),
            "data-flow graph 'g': error: nothing limits the throughput: no cycle of channels takes "
            "time; give an actor that does one firing at a time a channel to itself with one "
            "initial token");
  EXPECT_EQ(errorOf({"g", {}, {}}), "data-flow graph 'g': error: the graph has no actors");
  graph.channels[0] = {0, 1, 1, 1, uint64_t(1) << 33, 0};
  EXPECT_EQ(errorOf(graph), "data-flow graph 'g': error: 8589934592 initial tokens from a to b, "
                            "expected at most 4294967296");
  graph.channels[0] = {0, 0, 1, 1, 1, 0};
  graph.actors[0].executionTime = uint64_t(1) << 40;
  EXPECT_EQ(errorOf(graph), "data-flow graph 'g': error: one iteration works more than "
                            "1099511627776 time units; choose a larger unit");
}

TEST(SdfOptions, AreReadFromYaml) {
  auto document = YamlDocument::parse(
      "{maximum_firings: 7, self_timed_firings: 0, packet_bits: 40}", "flow.yaml");
  ASSERT_TRUE(bool(document));
  YamlReader reader(*document);
  SdfOptions options;
  readSdfOptions(reader, options);
  EXPECT_FALSE(bool(reader.finish()));
  EXPECT_EQ(options.maximumFirings, 7);
  EXPECT_EQ(options.selfTimedFirings, 0);
  EXPECT_EQ(options.packetBits, 40);
}

} // namespace
} // namespace spindle
