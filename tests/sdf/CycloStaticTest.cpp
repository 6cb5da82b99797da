// Rates and times that take turns: published periods, execution token by token, and what holds for
// every such graph.
#include "lib/sdf/Analyze.h"

#include "tests/sdf/PublishedGraphs.h"
#include "tests/sdf/RandomSdf.h"
#include "tests/sdf/TokenExecution.h"
#include "gmock/gmock.h"

#include <fstream>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SdfAnalysis analysisOf(const SdfGraph &graph) { return llvm::cantFail(analyze(graph, {})); }

SdfChannel ordered(ActorId actor) { return {actor, actor, 1, 1, 1, 0}; }

template <typename T> PerPhase<T> list(std::vector<T> numbers) { return numbers; }

TEST(CycloStatic, PublishedPeriodsAreReproduced) {
  std::string path = publishedGraph("csdf/periods.csv");
  if (path.empty())
    GTEST_SKIP() << "test data absent: sdf/csdf/periods.csv (set SPINDLE_DATA)";
  std::ifstream rows(path);
  std::string name, period, firings;
  std::getline(rows, name); // the head
  size_t graphs = 0;
  while (std::getline(rows, name, ',') && std::getline(rows, period, ',') &&
         std::getline(rows, firings)) {
    SdfGraph graph = llvm::cantFail(readSdfGraph(publishedGraph("csdf/" + name + ".xml")));
    SdfAnalysis analysis = analysisOf(graph);
    EXPECT_EQ(analysis.period, std::stod(period)) << name;
    EXPECT_TRUE(analysis.selfTimedAgrees) << name;
    uint64_t sum = 0;
    for (uint64_t q : analysis.repetitions)
      sum += q;
    EXPECT_EQ(sum, std::stoull(firings)) << name;
    ++graphs;
  }
  EXPECT_EQ(graphs, 7u);
}

/// The source gives 3 tokens in its first phase and none in the second; the sink takes one a time.
/// The source takes 2 + 5, three sinks one after the other 4 each: the sink limits.
TEST(CycloStatic, PhasesTakeTurns) {
  SdfGraph graph{"g",
                 {{"source", list<uint64_t>({2, 5})}, {"sink", 4}},
                 {{0, 1, list<uint32_t>({3, 0}), 1, 0, 0}, ordered(0), ordered(1)}};
  SdfAnalysis analysis = analysisOf(graph);
  EXPECT_THAT(analysis.repetitions, ElementsAre(2, 3));
  EXPECT_EQ(analysis.period, 12);
  EXPECT_EQ(analysis.latency, 2u + 12u);
  graph.actors[1].executionTime = 2; // now the source
  EXPECT_EQ(analysisOf(graph).period, 7);
  EXPECT_EQ(analysisOf(graph).latency, 8u);
}

/// A circle of one token: all phases of all actors after each other, but for those that take none.
TEST(CycloStatic, AFiringThatConsumesNothingDoesNotWait) {
  SdfGraph graph{"g",
                 {{"a", list<uint64_t>({1, 10})}, {"b", 3}},
                 {{0, 1, list<uint32_t>({1, 0}), 1, 0, 0},
                  {1, 0, 1, list<uint32_t>({1, 0}), 1, 0},
                  ordered(0),
                  ordered(1)}};
  EXPECT_EQ(analysisOf(graph).period, 11); // b's 3 beside a's second phase
  graph.channels[1].consume = list<uint32_t>({0, 1});
  graph.channels[1].initialTokens = 0;
  EXPECT_EQ(analysisOf(graph).period, 14); // 1, 3, 10 in turn
}

/// Numbers that are alike in all phases are one number, but that actors do one firing at a time.
TEST(CycloStatic, EqualPhasesAreNone) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RandomSdf random = randomSdf(seed, 2 + seed % 4, 3);
    for (ActorId a = 0; a < random.graph.actors.size(); ++a)
      random.graph.channels.push_back(ordered(a));
    SdfGraph turns = random.graph;
    CounterRandom choose(seed, 3);
    uint32_t common = 1;
    for (SdfActor &actor : turns.actors) {
      uint32_t phases = 1 + choose.below(3);
      common = std::lcm(common, phases);
      actor.executionTime = std::vector<uint64_t>(phases, actor.executionTime.total());
    }
    SdfAnalysis plain = analysisOf(random.graph), phased = analysisOf(turns);
    // Turns may need several iterations of the plain graph, the same for all actors.
    uint64_t several = phased.repetitions[0] / plain.repetitions[0];
    EXPECT_GE(several, 1u);
    EXPECT_LE(several, common);
    for (size_t a = 0; a < plain.repetitions.size(); ++a)
      EXPECT_EQ(phased.repetitions[a], several * plain.repetitions[a]);
    EXPECT_NEAR(phased.period, double(several) * plain.period, 1e-9) << "seed " << seed;
  }
}

/// `total` tokens spread over phases at random; zeros are frequent.
std::vector<uint32_t> spread(CounterRandom &random, uint32_t phases, uint64_t total) {
  std::vector<uint32_t> rates(phases, 0);
  for (uint64_t token = 0; token < total; ++token)
    ++rates[random.below(phases)];
  return rates;
}

/// A ring with chords in which every channel against the order holds the tokens of an iteration.
SdfGraph randomCycloStatic(uint64_t seed) {
  CounterRandom random(seed, 11);
  uint32_t actors = 1 + random.below(5);
  SdfGraph graph{"random", {}, {}};
  std::vector<uint64_t> turns;
  std::vector<uint32_t> phases;
  for (uint32_t a = 0; a < actors; ++a) {
    phases.push_back(1 + random.below(4));
    turns.push_back(1 + random.below(3));
    std::vector<uint64_t> times;
    for (uint32_t phase = 0; phase < phases[a]; ++phase)
      times.push_back(random.below(4) == 0 ? 0 : random.below(12));
    graph.actors.push_back({"a" + std::to_string(a), times});
    graph.channels.push_back(ordered(a));
  }
  auto connect = [&](ActorId source, ActorId target) {
    uint64_t divisor = std::gcd(turns[source], turns[target]), factor = 1 + random.below(3);
    uint64_t produced = factor * turns[target] / divisor,
             consumed = factor * turns[source] / divisor;
    uint64_t iteration = produced * turns[source];
    bool isBack = source >= target;
    graph.channels.push_back({source, target, spread(random, phases[source], produced),
                              spread(random, phases[target], consumed),
                              (isBack ? iteration : 0) + random.below(uint32_t(iteration)), 0});
  };
  for (uint32_t a = 0; a < actors; ++a)
    connect(a, (a + 1) % actors);
  for (uint32_t chord = 0; chord < actors; ++chord)
    connect(random.below(actors), random.below(actors));
  return graph;
}

TEST(CycloStatic, RandomGraphsAgreeWithTheirExecution) {
  uint32_t compared = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SdfGraph graph = randomCycloStatic(seed);
    llvm::Expected<SdfAnalysis> analysis = analyze(graph, {});
    if (!analysis) { // all times are zero
      EXPECT_THAT(toText(analysis.takeError()), HasSubstr("nothing limits the throughput"));
      continue;
    }
    EXPECT_TRUE(analysis->selfTimedAgrees) << "seed " << seed;
    auto ends = executed(graph, analysis->repetitions, 120);
    ASSERT_TRUE(ends.has_value()) << "seed " << seed;
    EXPECT_EQ(analysis->latency, *std::max_element((*ends)[0].begin(), (*ends)[0].end()));
    if (std::optional<double> period = periodOf(*ends)) { // else not in its regime yet
      ++compared;
      EXPECT_NEAR(analysis->period, *period, 1e-9) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 1000u);
}

TEST(CycloStatic, FaultsNamePhases) {
  auto errorOf = [](const SdfGraph &graph) { return toText(analyze(graph, {}).takeError()); };
  SdfGraph unordered{"g", {{"a", list<uint64_t>({1, 2})}}, {}};
  EXPECT_EQ(errorOf(unordered),
            "data-flow graph 'g': error: actor 'a' has 2 phases, expected a channel to itself with "
            "rates 1 and one initial token: phases come one after the other");
  SdfGraph zero{"g", {{"a", 1}, {"b", 1}}, {{0, 1, list<uint32_t>({0, 0}), 1, 0, 0}}};
  EXPECT_EQ(errorOf(zero),
            "data-flow graph 'g': error: channel 0 (a -> b) has produce rate 0 in all "
            "phases, expected at least 1");
  SdfGraph dead{"g",
                {{"a", list<uint64_t>({1, 1, 1})}, {"b", 1}},
                {{0, 1, list<uint32_t>({1, 1, 1}), 3, 0, 0},
                 {1, 0, 3, list<uint32_t>({1, 1, 1}), 1, 0},
                 ordered(0),
                 ordered(1)}};
  EXPECT_EQ(errorOf(dead),
            "data-flow graph 'g': error: deadlock: a (phase 2 of 3) waits for b waits "
            "for a (phase 2 of 3); put initial tokens on a channel of this cycle");
  SdfGraph uneven{"g",
                  {{"a", 1}, {"b", 1}},
                  {{0, 1, list<uint32_t>({1, 0}), 1, 0, 0}, {0, 1, 1, 1, 0, 0}, ordered(0)}};
  EXPECT_EQ(errorOf(uneven),
            "data-flow graph 'g': error: inconsistent rates: channel 1 (a -> b) produces 2 and "
            "consumes 1 in a turn of all phases, which contradicts the other channels between its "
            "actors; correct one of the rates");
  SdfGraph many{"g", {{"a", std::vector<uint64_t>(257, 1)}}, {ordered(0)}};
  many.channels.push_back({0, 0, std::vector<uint32_t>(256, 1), 1, 1, 0});
  EXPECT_EQ(errorOf(many),
            "data-flow graph 'g': error: actor 'a' has more than 65536 phases; give its "
            "lists of rates and times one length");
}

} // namespace
} // namespace spindle
