// Digits against all sums of powers of two, sums of shifts against products.
#include "hw/hls/body/ConstantProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

namespace spindle::hls {
namespace {

uint64_t low(uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

/// The fewest powers of two up to 2^most, each added or subtracted, for every number they make.
std::map<int64_t, unsigned> fewestPowers(unsigned most, unsigned count) {
  std::map<int64_t, unsigned> fewest{{0, 0}};
  for (unsigned round = 1; round <= count; ++round)
    for (auto [number, terms] : std::map<int64_t, unsigned>(fewest))
      if (terms == round - 1)
        for (unsigned shift = 0; shift <= most; ++shift)
          for (int64_t sign : {-1, 1})
            fewest.try_emplace(number + sign * (int64_t(1) << shift), round);
  return fewest;
}

TEST(ConstantProduct, DigitsAreTheFewestAndNeverNeighbours) {
  std::map<int64_t, unsigned> fewest = fewestPowers(11, 5);
  for (int64_t factor = -512; factor < 512; ++factor) {
    auto digits = signedDigits(factor);
    int64_t sum = 0;
    for (size_t n = 0; n < digits.size(); ++n) {
      sum += (digits[n].isNegative ? -1 : 1) * (int64_t(1) << digits[n].shift);
      EXPECT_TRUE(n == 0 || digits[n].shift > digits[n - 1].shift + 1) << factor;
    }
    EXPECT_EQ(sum, factor);
    EXPECT_EQ(digits.size(), fewest.at(factor)) << factor;
  }
}

/// Computes, and counts what it takes.
struct Counting {
  uint64_t operand;
  unsigned *adders;
  struct Term {
    uint64_t value;
    unsigned level;
  };
  Term zero() const { return {0, 0}; }
  Term shifted(unsigned shift) const { return {operand << shift, 0}; }
  Term added(Term a, Term b) const { return combined(a.value + b.value, a, b); }
  Term subtracted(Term a, Term b) const { return combined(a.value - b.value, a, b); }
  Term combined(uint64_t value, Term a, Term b) const {
    ++*adders;
    return {value, std::max(a.level, b.level) + 1};
  }
};

TEST(ConstantProduct, SumsOfShiftsAreTheProductModuloItsWidth) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 20'000; ++round) {
    unsigned bits = 1 + unsigned(random() % 64);
    int64_t factor = int64_t(random()) >> random() % 64;
    if (bits < 64)
      factor = int64_t(uint64_t(factor) << (64 - bits)) >> (64 - bits);
    unsigned adders = 0;
    auto digits = signedDigits(factor, bits);
    Counting counting{random(), &adders};
    Counting::Term product = sumOfShifts<Counting::Term>(digits, counting);
    EXPECT_EQ(low(product.value, bits), low(counting.operand * uint64_t(factor), bits))
        << factor << " in " << bits;
    ShiftedSum sum(digits);
    EXPECT_EQ(sum.adders, adders) << factor;
    EXPECT_EQ(sum.levels, product.level) << factor;
  }
}

TEST(ConstantProduct, NumbersOnTheirEdges) {
  EXPECT_TRUE(signedDigits(0).empty());
  EXPECT_EQ(signedDigits(-1).size(), 1u);
  EXPECT_EQ(ShiftedSum(signedDigits(-1)).adders, 1u);      // 0 - x
  EXPECT_EQ(ShiftedSum(signedDigits(-128, 8)).adders, 0u); // 2^7 in 8 bits
  EXPECT_EQ(signedDigits(INT64_MAX).size(), 2u);           // 2^63 - 1
  EXPECT_EQ(signedDigits(127, 7).size(), 1u);              // 2^7 is left out
  EXPECT_EQ(signedDigits(INT64_MIN), (llvm::SmallVector<SignedDigit>{{63, false}}));
  EXPECT_EQ(ShiftedSum(signedDigits(7)).adders, 1u); // 8 - 1
}

TEST(ConstantProduct, IsFoundOnEitherSideAndWeighed) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @f(%n: i16, %i: index) {
      %five = arith.constant 5 : i16
      %odd = arith.constant 21845 : i16
      %two = arith.constant 2 : index
      %0 = arith.muli %n, %five : i16
      %1 = arith.muli %odd, %n : i16
      %2 = arith.muli %n, %n : i16
      %3 = arith.muli %two, %i : index
      return
    })",
                                                        &context);
  std::vector<std::optional<ConstantProduct>> found;
  module->walk([&](mlir::arith::MulIOp op) { found.push_back(constantProduct(op)); });
  ASSERT_EQ(found.size(), 4u);
  ASSERT_TRUE(found[0] && found[1]);
  EXPECT_EQ(found[0]->factor, 5);
  EXPECT_EQ(found[1]->factor, 21845);
  EXPECT_EQ(found[1]->operand, found[0]->operand);
  EXPECT_FALSE(found[2]);
  ASSERT_TRUE(found[3]);
  EXPECT_EQ(found[3]->bits, 64u);

  Target target;
  target.logic = {{"addi", {1, 0}}};
  FunctionalUnit multiplier;
  multiplier.area = {15, 0, 1};
  EXPECT_EQ(target.dspLuts(), 0);
  EXPECT_FALSE(isCheaperThan(multiplier, *found[0], target)) << "an adder of 16 LUTs for 15";
  target.capacity = DeviceArea{1000, 2000, 10, 10};
  EXPECT_EQ(target.dspLuts(), 50);
  EXPECT_TRUE(isCheaperThan(multiplier, *found[0], target));
  EXPECT_FALSE(isCheaperThan(multiplier, *found[1], target)) << "7 adders";
  multiplier.area.dsp = 3;
  EXPECT_TRUE(isCheaperThan(multiplier, *found[1], target));
  target.logic["addi"] = {2, 0};
  EXPECT_FALSE(isCheaperThan(multiplier, *found[1], target)) << "3 levels of 2 ns in half of 10";
}

} // namespace
} // namespace spindle::hls
