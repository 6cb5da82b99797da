#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <set>
#include <vector>

using namespace spindle;
using testing::ElementsAre;

// kat_vectors of Random123 1.14, lines `philox4x32 10`.
TEST(CounterRandom, MatchesKnownAnswersOfRandom123) {
  EXPECT_THAT(philox({0, 0, 0, 0}, {0, 0}),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(CounterRandom, SequenceIsTheBlocksOfItsStream) {
  CounterRandom random(0x0000000500000003ull, 7);
  for (uint32_t block = 0; block < 3; ++block)
    for (uint32_t word : philox({block, 0, 7, 0}, {3, 5}))
      EXPECT_EQ(random(), word);
}

TEST(CounterRandom, ItemsOfAStreamAreBlocksOfTheirOwn) {
  CounterRandom random(3, 7, 9);
  for (uint32_t word : philox({0, 0, 7, 9}, {3, 0}))
    EXPECT_EQ(random(), word);
}

TEST(CounterRandom, UniformFloatStaysBelowOne) {
  EXPECT_EQ(uniformFloat(0), 0.0f);
  EXPECT_LT(uniformFloat(UINT32_MAX), 1.0f);
  EXPECT_EQ(uniformFloat(0x80000000u), 0.5f);
}

TEST(CounterRandom, BelowReachesEveryValueEvenly) {
  constexpr uint32_t bound = 10, draws = 100000;
  CounterRandom random(1);
  std::vector<uint32_t> counts(bound);
  for (uint32_t i = 0; i < draws; ++i) {
    uint32_t value = random.below(bound);
    ASSERT_LT(value, bound);
    ++counts[value];
  }
  double chiSquare = 0;
  for (uint32_t count : counts)
    chiSquare += (count - 1e4) * (count - 1e4) / 1e4;
  EXPECT_LT(chiSquare, 27.9); // nine degrees of freedom, one in a thousand
}
