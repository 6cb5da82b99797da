#include "lib/conversion/trials/HeldSamples.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;

namespace {

TEST(HeldSamples, FirstOnesKeepTheirValues) {
  Samples all{{2}, {1, 2, 3, 4, 5, 6}, {0, 1, 2}};
  Samples first = firstOf(all, 2);
  EXPECT_EQ(first.count(), 2u);
  EXPECT_THAT(first.values, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(first.labels, ElementsAre(0u, 1u));
  EXPECT_EQ(firstOf(all, 0).count(), 0u);
}

TEST(HeldSamples, FirstOnesKeepTheirEvents) {
  Samples all{{3}, {}, {4, 5, 6}};
  all.events = EventSamples{2, {0, 1, 1, 3}, {{0, 2}, {1, 0}, {1, 1}}};
  Samples first = firstOf(all, 2);
  EXPECT_EQ(first.count(), 2u);
  EXPECT_THAT(first.events->offsets, ElementsAre(0u, 1u, 1u));
  EXPECT_THAT(first.events->events, ElementsAre(InputEvent{0, 2}));
  EXPECT_TRUE(first.values.empty());
}

/// What is read when it is asked for stays so.
TEST(HeldSamples, FirstOnesKeepTheirReader) {
  struct Counter : SampleReader {
    llvm::Error read(size_t first, size_t count, float *values) override {
      for (size_t n = 0; n < count; ++n)
        values[n] = float(first + n);
      return llvm::Error::success();
    }
  };
  Samples all{{1}, {}, {0, 0, 0, 0}};
  all.reader = std::make_shared<Counter>();
  Samples first = firstOf(all, 3);
  std::vector<float> room;
  EXPECT_EQ(first.count(), 3u);
  EXPECT_EQ(llvm::cantFail(first.block(2, 1, room))[0], 2);
}

} // namespace
