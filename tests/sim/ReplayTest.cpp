#include "sim/model/Replay.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;

namespace {

TEST(Replay, DeliveriesHaveTheirTimes) {
  Chip chip;
  chip.mesh = {3, 2};
  PacketTrace trace;
  // The second waits at its source for the two flits of the first; the third goes to two tiles.
  trace.packets = {{10, 0, {2}, 2}, {11, 0, {5}, 1}, {100, 4, {1, 4}, 1}};
  std::vector<Delivery> deliveries = llvm::cantFail(replay(trace, chip));
  EXPECT_THAT(deliveries,
              ElementsAre(Delivery{0, 0, 2, 2, 10, 10, 10 + 3 * 3 + 2, 10 + 3 * 3 + 2 + 1, 2},
                          Delivery{1, 0, 5, 1, 11, 12, 12 + 3 * 4 + 2, 12 + 3 * 4 + 2, 3},
                          Delivery{2, 4, 1, 1, 100, 100, 100 + 3 * 2 + 2, 100 + 3 * 2 + 2, 1},
                          Delivery{2, 4, 4, 1, 100, 101, 101 + 3 + 2, 101 + 3 + 2, 0}));
}

TEST(Replay, NoPacketsNoDeliveries) { EXPECT_TRUE(llvm::cantFail(replay({}, {})).empty()); }

} // namespace
