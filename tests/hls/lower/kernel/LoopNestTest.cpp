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
    llvm::SmallVector<Range> known;
    for (int64_t value : operands)
      known.push_back({value, value});
    llvm::SmallVector<Range> ranges = counterRanges(nest.bounds, known);
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

TEST(LoopNest, RangesOfExpressionsHoldTheirValues) {
  mlir::MLIRContext context;
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    Range range{std::uniform_int_distribution<int64_t>(-20, 20)(random), 0};
    range.most = range.least + std::uniform_int_distribution<int64_t>(0, 25)(random);
    int64_t by = std::uniform_int_distribution<int64_t>(1, 9)(random);
    mlir::AffineExpr d = mlir::getAffineDimExpr(0, &context);
    for (mlir::AffineExpr expression :
         {d.floorDiv(by), d % by, d.ceilDiv(by), d * -by + 3, (d + by) % by - d}) {
      Range found = rangeOf(expression, {range});
      for (int64_t value = range.least; value <= range.most; ++value) {
        int64_t exact = valueByMlir(expression, {value});
        EXPECT_LE(found.least, exact);
        EXPECT_GE(found.most, exact);
      }
    }
  }
}

} // namespace
