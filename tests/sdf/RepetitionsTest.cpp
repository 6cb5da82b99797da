#include "lib/sdf/Repetitions.h"

#include "tests/sdf/RandomSdf.h"
#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::ElementsAre;

SdfGraph withChannels(uint32_t actors, std::vector<SdfChannel> channels) {
  SdfGraph graph{"g", {}, std::move(channels)};
  for (uint32_t a = 0; a < actors; ++a)
    graph.actors.push_back({std::string(1, char('a' + a)), 1});
  return graph;
}

TEST(Repetitions, FindsTheOnesTheGraphWasMadeFrom) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomSdf random = randomSdf(seed, 2 + seed % 9, 12);
    auto repetitions = repetitionVector(random.graph);
    ASSERT_TRUE(bool(repetitions)) << toText(repetitions.takeError());
    EXPECT_EQ(*repetitions, random.repetitions) << "seed " << seed;
  }
}

// Bhattacharyya, Murthy & Lee 1999: compact disc to digital audio tape, 44.1 kHz to 48 kHz.
TEST(Repetitions, CompactDiscToDigitalAudioTape) {
  SdfGraph graph =
      withChannels(6, {{0, 1, 1, 1}, {1, 2, 2, 3}, {2, 3, 2, 7}, {3, 4, 8, 7}, {4, 5, 5, 1}});
  EXPECT_THAT(*repetitionVector(graph), ElementsAre(147, 147, 98, 28, 32, 160));
}

TEST(Repetitions, ComponentsAreSmallestByThemselves) {
  EXPECT_THAT(*repetitionVector(withChannels(5, {{0, 1, 2, 4}, {3, 2, 6, 9}})),
              ElementsAre(2, 1, 2, 3, 1));
}

TEST(Repetitions, NamesTheInconsistentChannel) {
  // Any channel of the circle could be the wrong one.
  SdfGraph graph = withChannels(3, {{0, 1, 1, 1}, {1, 2, 1, 1}, {2, 0, 2, 1}});
  EXPECT_EQ(toText(repetitionVector(graph).takeError()),
            "data-flow graph 'g': error: inconsistent rates: channel 1 (b -> c) produces 1 and "
            "consumes 1, which contradicts the other channels between its actors; correct one of "
            "the rates");
}

TEST(Repetitions, NamesTheInconsistentChannelToItself) {
  EXPECT_THAT(toText(repetitionVector(withChannels(1, {{0, 0, 2, 1}})).takeError()),
              testing::HasSubstr("channel 0 (a -> a) produces 2 and consumes 1"));
}

TEST(Repetitions, RefusesNumbersBeyond64Bits) {
  std::vector<SdfChannel> chain;
  for (uint32_t a = 0; a < 5; ++a)
    chain.push_back({a, a + 1, 4294967291u, 4294967279u}); // two primes
  EXPECT_EQ(toText(repetitionVector(withChannels(6, chain)).takeError()),
            "data-flow graph 'g': error: the repetition vector exceeds 64 bits; choose rates with "
            "common factors");
}

TEST(Repetitions, LongChainsThatCancelStayExact) {
  std::vector<SdfChannel> chain;
  for (uint32_t a = 0; a < 20; ++a)
    chain.push_back(
        {a, a + 1, a % 2 ? 4294967279u : 4294967291u, a % 2 ? 4294967291u : 4294967279u});
  auto repetitions = repetitionVector(withChannels(21, chain));
  ASSERT_TRUE(bool(repetitions)) << toText(repetitions.takeError());
  EXPECT_EQ((*repetitions)[20], 4294967279u);
  EXPECT_EQ((*repetitions)[1], 4294967291u);
}

} // namespace
} // namespace spindle
