// Counts and ranges of nests against running through them.
#include "hw/hls/lower/kernel/LoopNest.h"
#include "tests/hls/lower/RandomNestBounds.h"

#include "gtest/gtest.h"

using namespace spindle::hls;

namespace {

TEST(LoopNest, CountsAndRangesHoldForRandomNests) {
  mlir::MLIRContext context;
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    RandomNestBounds nest = randomNestBounds(context, random);
    std::vector<std::vector<int64_t>> iterations = iterationsByHand(nest);
    llvm::SmallVector<int64_t> operands(nest.operands.begin(), nest.operands.end());
    EXPECT_EQ(countIterations(nest.bounds, operands), static_cast<int64_t>(iterations.size()));
    llvm::SmallVector<IntegerRange> known;
    for (int64_t value : operands)
      known.push_back({value, value});
    llvm::SmallVector<IntegerRange> ranges = counterRanges(nest.bounds, known);
    llvm::SmallVector<bool> may = mayBubble(nest.bounds, known);
    for (const std::vector<int64_t> &counters : iterations)
      for (size_t level = 0; level < counters.size(); ++level) {
        EXPECT_LE(ranges[level].least, counters[level]);
        EXPECT_GE(ranges[level].most, counters[level]);
        if (!may[level]) {
          EXPECT_LT(counters[level], nest.upperAt(level, counters));
        }
      }
  }
}

} // namespace
