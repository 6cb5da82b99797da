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

/// Tile 1 takes a flit per cycle, whatever both of its neighbours send there.
TEST(Replay, AnOverloadIsSaturation) {
  Chip chip;
  chip.mesh = {3, 1};
  chip.router.bufferFlits = 8; // as many as credits take to come back
  auto loadOf = [&](uint32_t flitsOfFour, uint64_t cycles) {
    PacketTrace trace;
    for (uint64_t cycle = 0; cycle < cycles; cycle += 4)
      for (TileId source : {0, 2})
        trace.packets.push_back({cycle, source, {1}, flitsOfFour});
    std::vector<Delivery> deliveries = llvm::cantFail(replay(trace, chip));
    EXPECT_EQ(deliveries.size(), trace.packets.size());
    return offeredLoad(deliveries, chip.mesh);
  };
  OfferedLoad much = loadOf(3, 4000);
  EXPECT_TRUE(much.isSaturated());
  EXPECT_NEAR(much.made, 2 * 0.75 / 3, 1e-3);
  EXPECT_NEAR(much.received, 1.0 / 3, 5e-3);
  OfferedLoad enough = loadOf(1, 4000);
  EXPECT_FALSE(enough.isSaturated());
  EXPECT_NEAR(enough.received, 2 * 0.25 / 3, 5e-3);
  EXPECT_FALSE(loadOf(3, 400).isSaturated()); // too short to say so
}

TEST(Replay, NoPacketsNoDeliveries) {
  EXPECT_TRUE(llvm::cantFail(replay({}, {})).empty());
  EXPECT_FALSE(offeredLoad({}, {}).isSaturated());
}

} // namespace
