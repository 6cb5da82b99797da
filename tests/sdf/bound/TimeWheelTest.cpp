// The time of a firing on a shared processor, beside a processor that works unit by unit.
#include "lib/sdf/TimeWheel.h"

#include "gtest/gtest.h"

namespace spindle {
namespace {

uint64_t worked(uint64_t now, uint64_t work, uint64_t size, uint64_t slice) {
  uint64_t at = now;
  for (; work > 0; ++at)
    work -= at % size >= size - slice;
  return at - now;
}

TEST(TimeWheel, EqualsWorkUnitByUnit) {
  for (uint64_t size = 1; size <= 9; ++size)
    for (uint64_t slice = 1; slice <= size; ++slice)
      for (uint64_t now = 0; now < 2 * size; ++now)
        for (uint64_t work = 0; work <= 3 * size; ++work)
          EXPECT_EQ((TimeWheel{size, slice}).response(now, work), worked(now, work, size, slice))
              << work << " from " << now << ", " << slice << " of " << size;
}

TEST(TimeWheel, WithoutAWheelTakesWhatItTakes) { EXPECT_EQ(TimeWheel().response(5, 16), 16u); }

/// What SDF3 makes of 16 units with 3 of 8: 46 from the start of the wheel as it is, 36 in place of
/// 41 from the start of the slice.
TEST(TimeWheel, TheRuleOfSdf3ForgetsAGapInsideTheSlice) {
  TimeWheel exact{8, 3, WheelRule::Exact}, other{8, 3, WheelRule::Sdf3};
  EXPECT_EQ(exact.response(0, 16), 46u);
  EXPECT_EQ(other.response(0, 16), 46u);
  EXPECT_EQ(exact.response(5, 16), 41u);
  EXPECT_EQ(other.response(5, 16), 36u);
  EXPECT_EQ(other.response(5, 15), exact.response(5, 15)); // whole slices
}

TEST(TimeWheel, RoundsEndTogether) {
  EXPECT_EQ(roundOf({{8, 3}, {6, 1}, {}, {5, 5}}), 24u); // a whole wheel is no wheel
  EXPECT_EQ(roundOf({}), 1u);
}

} // namespace
} // namespace spindle
