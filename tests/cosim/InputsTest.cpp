#include "hw/cosim/Inputs.h"
#include "hw/program/IndexUse.h"
#include "hw/program/ProgramFile.h"

#include "gmock/gmock.h"

#include <cmath>
#include <set>

using namespace spindle;
using namespace spindle::hls;
using testing::Each;
using testing::ElementsAre;

namespace {

ProgramArgument argumentOf(const char *type, std::vector<int64_t> shape = {}) {
  ProgramArgument argument;
  argument.type = *parseElementType(type);
  argument.isArray = !shape.empty();
  argument.shape = std::move(shape);
  return argument;
}

KernelArray drawn(const ProgramArgument &argument, InputKind kind, bool withSpecial = false,
                  uint32_t run = 0) {
  return randomInputs({argument}, kind, withSpecial, 5, run)[0];
}

TEST(Inputs, FloatsLieInTheirRange) {
  auto isBetween = [](double low, double high) {
    return Each(testing::AllOf(testing::Ge(low), testing::Lt(high)));
  };
  for (const char *type : {"f32", "f64"}) {
    std::vector<double> uniform = toDoubles(drawn(argumentOf(type, {1000}), InputKind::Uniform));
    EXPECT_THAT(uniform, isBetween(-2, 2.0000001));
    EXPECT_LT(*std::min_element(uniform.begin(), uniform.end()), -1.9);
    EXPECT_GT(*std::max_element(uniform.begin(), uniform.end()), 1.9);
    EXPECT_THAT(toDoubles(drawn(argumentOf(type, {1000}), InputKind::Positive)),
                isBetween(0.5, 2.0000001));
    std::vector<double> whole = toDoubles(drawn(argumentOf(type, {1000}), InputKind::Integers));
    EXPECT_EQ(std::set<double>(whole.begin(), whole.end()), (std::set<double>{-2, -1, 0, 1, 2}));
  }
  for (double number : toDoubles(drawn(argumentOf("f64", {1000}), InputKind::Uniform, false)))
    EXPECT_TRUE(std::isfinite(number));
}

TEST(Inputs, SpecialNumbersAreAmongThem) {
  std::vector<double> numbers =
      toDoubles(drawn(argumentOf("f32", {2000}), InputKind::Uniform, true));
  int nan = 0, infinite = 0, zero = 0, subnormal = 0;
  for (double number : numbers) {
    nan += std::isnan(number);
    infinite += std::isinf(number);
    zero += number == 0;
    subnormal += number != 0 && std::abs(number) < 0x1p-126;
  }
  EXPECT_GT(std::min(std::min(nan, infinite), std::min(zero, subnormal)), 0);
  EXPECT_LT(nan + infinite + zero + subnormal, 500);
}

/// The factor of Cholesky exists exactly for positive definite matrices.
TEST(Inputs, DefiniteMatricesHaveAFactor) {
  constexpr size_t n = 12;
  std::vector<double> a = toDoubles(drawn(argumentOf("f64", {n, n}), InputKind::Definite));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      EXPECT_EQ(a[i * n + j], a[j * n + i]);
    }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; ++k)
        sum -= a[i * n + k] * a[j * n + k];
      ASSERT_TRUE(i != j || sum > 0);
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
}

TEST(Inputs, IntegersAreSmallAndLarge) {
  std::vector<int64_t> numbers = toIntegers(drawn(argumentOf("i32", {1000}), InputKind::Uniform));
  auto small = std::count_if(numbers.begin(), numbers.end(),
                             [](int64_t number) { return std::abs(number) <= 8; });
  EXPECT_GT(small, 400);
  EXPECT_LT(small, 600);
  EXPECT_GT(*std::max_element(numbers.begin(), numbers.end()), int64_t(1) << 30);
  EXPECT_LT(*std::min_element(numbers.begin(), numbers.end()), -(int64_t(1) << 30));
}

TEST(Inputs, IndicesLieWithinEveryArray) {
  ProgramArgument index = argumentOf("i32", {100}), matrix = argumentOf("f32", {9, 30}),
                  bound = argumentOf("i32");
  index.isIndex = true;
  bound.bound = -3;
  std::vector<KernelArray> inputs =
      randomInputs({index, matrix, bound}, InputKind::Uniform, false, 1, 0);
  std::vector<int64_t> indices = toIntegers(inputs[0]);
  std::set<int64_t> distinct(indices.begin(), indices.end());
  EXPECT_EQ(distinct.size(), 9u);
  EXPECT_EQ(*distinct.begin(), 0);
  EXPECT_EQ(*distinct.rbegin(), 8);
  EXPECT_THAT(toIntegers(inputs[2]), ElementsAre(-3));
}

TEST(Inputs, AreAFunctionOfSeedAndRun) {
  ProgramArgument argument = argumentOf("i64", {10});
  EXPECT_EQ(drawn(argument, InputKind::Uniform), drawn(argument, InputKind::Uniform));
  EXPECT_NE(drawn(argument, InputKind::Uniform), drawn(argument, InputKind::Uniform, false, 1));
}

TEST(IndexUse, FollowsLoadsAndArithmetic) {
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(*context, R"(
    func.func @f(%a: memref<8xi32>, %b: memref<8xi32>, %n: i32, %m: i32, %i: index, %x: f32) {
      affine.for %k = 0 to 8 {
        %j = affine.load %a[%k] : memref<8xi32>
        %s = arith.addi %j, %n : i32
        %at = arith.index_cast %s : i32 to index
        %v = memref.load %b[%at] : memref<8xi32>
        %p = arith.muli %v, %m : i32
        memref.store %p, %b[%k] : memref<8xi32>
      }
      return
    })",
                                            "f.mlir"));
  EXPECT_THAT(usedAsIndex(*module, "f"), ElementsAre(true, false, true, false, true, false));
}

} // namespace
