// Interval arithmetic against all numbers of small ranges.
#include "hw/hls/ranges/IntegerRange.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

#include <random>

using namespace spindle::hls;

namespace {

IntegerRange randomRange(std::mt19937 &random) {
  int64_t least = std::uniform_int_distribution<int64_t>(-20, 20)(random);
  return {least, least + std::uniform_int_distribution<int64_t>(0, 25)(random)};
}

int64_t valueByMlir(mlir::AffineExpr expression, int64_t dimension) {
  mlir::Builder builder(expression.getContext());
  llvm::SmallVector<mlir::Attribute> results;
  (void)mlir::AffineMap::get(1, 0, expression)
      .constantFold({builder.getI64IntegerAttr(dimension)}, results);
  return llvm::cast<mlir::IntegerAttr>(results[0]).getInt();
}

TEST(IntegerRange, SumsAndProductsAreTheLeastRanges) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    IntegerRange a = randomRange(random), b = randomRange(random);
    IntegerRange sum{INT64_MAX, INT64_MIN}, difference = sum, product = sum, smaller = sum,
                                            larger = sum;
    auto add = [](IntegerRange &to, int64_t value) { to = hull(to, {value, value}); };
    for (int64_t x = a.least; x <= a.most; ++x)
      for (int64_t y = b.least; y <= b.most; ++y) {
        add(sum, x + y);
        add(difference, x - y);
        add(product, x * y);
        add(smaller, std::min(x, y));
        add(larger, std::max(x, y));
      }
    EXPECT_EQ(a + b, sum);
    EXPECT_EQ(a - b, difference);
    EXPECT_EQ(a * b, product);
    EXPECT_EQ(minimum(a, b), smaller);
    EXPECT_EQ(maximum(a, b), larger);
  }
}

TEST(IntegerRange, EndsThatInt64CannotHoldAreNone) {
  IntegerRange natural{0, INT64_MAX}, all;
  EXPECT_EQ(natural + (IntegerRange{1, 2}), (IntegerRange{1, INT64_MAX}));
  EXPECT_EQ(natural * (IntegerRange{-3, -3}), (IntegerRange{INT64_MIN, 0}));
  EXPECT_EQ((IntegerRange{3, 3}) - natural, (IntegerRange{INT64_MIN, 3}));
  EXPECT_EQ(all * (IntegerRange{0, 0}), (IntegerRange{0, 0}));
  EXPECT_EQ(all - all, all);
  IntegerRange large{int64_t(1) << 62, int64_t(1) << 62};
  EXPECT_EQ(large + large, (IntegerRange{INT64_MAX, INT64_MAX}));
  EXPECT_EQ(large * (IntegerRange{-2, 2}), all); // -2^63 stands for none
  EXPECT_EQ(large * (IntegerRange{-4, 4}), all);
}

TEST(IntegerRange, BitsHoldTheRangeAndNoFewerDo) {
  for (int64_t least = -40; least <= 40; ++least)
    for (int64_t most = least; most <= 40; ++most) {
      auto fits = [&](unsigned bits) {
        return least < 0 ? least >= -(1 << (bits - 1)) && most < (1 << (bits - 1))
                         : most < (1 << bits);
      };
      unsigned bits = bitsFor({least, most});
      EXPECT_TRUE(fits(bits)) << least << " " << most;
      EXPECT_TRUE(bits == 1 || !fits(bits - 1)) << least << " " << most;
      EXPECT_EQ(signedBitsFor({least, most}), bits + (least < 0 || most == 0 ? 0 : 1));
    }
  EXPECT_EQ(bitsFor({}), 64u);
  EXPECT_EQ(signedBitsFor({}), 64u);
  EXPECT_EQ(bitsFor({0, INT64_MAX - 1}), 63u);
  EXPECT_EQ(bitsFor({INT64_MIN + 1, 0}), 64u);
}

TEST(IntegerRange, RangesOfExpressionsHoldTheirValues) {
  mlir::MLIRContext context;
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    IntegerRange range = randomRange(random);
    int64_t by = std::uniform_int_distribution<int64_t>(1, 9)(random);
    mlir::AffineExpr d = mlir::getAffineDimExpr(0, &context);
    for (mlir::AffineExpr expression :
         {d.floorDiv(by), d % by, d.ceilDiv(by), d * -by + 3, (d + by) % by - d}) {
      IntegerRange found = rangeOf(expression, {range});
      for (int64_t value = range.least; value <= range.most; ++value)
        EXPECT_TRUE(found.contains(valueByMlir(expression, value)));
    }
    // Of one dimension that occurs once, nothing is given away (but of a modulo that wraps).
    IntegerRange quotient = rangeOf(d.floorDiv(by), {range});
    EXPECT_EQ(quotient.least, valueByMlir(d.floorDiv(by), range.least));
    EXPECT_EQ(quotient.most, valueByMlir(d.floorDiv(by), range.most));
  }
  mlir::AffineExpr d = mlir::getAffineDimExpr(0, &context);
  EXPECT_EQ(rangeOf(d % 8, {IntegerRange{17, 20}}), (IntegerRange{1, 4}));
  EXPECT_EQ(rangeOf(d % 8, {IntegerRange{}}), (IntegerRange{0, 7}));
  EXPECT_EQ(rangeOf(d % 8, {IntegerRange{0, 3}}), (IntegerRange{0, 3}));
  EXPECT_EQ(rangeOf(d.floorDiv(4), {IntegerRange{0, INT64_MAX}}), (IntegerRange{0, INT64_MAX}));
}

} // namespace
