#include "sim/model/router/Arbiter.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <array>

using namespace spindle;

namespace {

TEST(Arbiter, StartsAtPortZeroAndTakesTurns) {
  Arbiter arbiter;
  for (uint32_t expected : {0, 2, 4, 0, 2, 4})
    EXPECT_EQ(arbiter.pick(0b10101, 5), expected);
  EXPECT_EQ(arbiter.pick(0b00001, 5), 0u);
  EXPECT_EQ(arbiter.pick(0b01001, 5), 3u);
  EXPECT_EQ(arbiter.pick(0b01001, 5), 0u);
}

TEST(Arbiter, NobodyWaitsLongerThanOneRound) {
  Arbiter arbiter;
  CounterRandom random(1);
  std::array<uint32_t, 5> waited{};
  for (int i = 0; i < 10000; ++i) {
    uint32_t requests = 1 + random.below(31);
    uint32_t winner = arbiter.pick(requests, 5);
    ASSERT_TRUE(requests >> winner & 1);
    for (uint32_t port = 0; port < 5; ++port) {
      bool lost = (requests >> port & 1) && port != winner;
      waited[port] = lost ? waited[port] + 1 : 0;
      ASSERT_LT(waited[port], 5u);
    }
  }
}

} // namespace
