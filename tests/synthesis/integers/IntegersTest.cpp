// Integers of all widths through the whole line: what the program computes, in the cycles that were
// predicted, by no more multipliers than their ranges need.
#include "core/support/CounterRandom.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/hls/lower/ScheduledKernel.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/programs/RandomInputs.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using testing::IsEmpty;

namespace {

/// C += A B on numbers of 8 bits, sums of 32.
std::string matmul(unsigned size) {
  return fmt::format(R"(
func.func @kernel(%a: memref<{0}x{0}xi8>, %b: memref<{0}x{0}xi8>, %c: memref<{0}x{0}xi32>) {{
  affine.for %i = 0 to {0} {{
    affine.for %j = 0 to {0} {{
      affine.for %k = 0 to {0} {{
        %x = affine.load %a[%i, %k] : memref<{0}x{0}xi8>
        %y = affine.load %b[%k, %j] : memref<{0}x{0}xi8>
        %s = affine.load %c[%i, %j] : memref<{0}x{0}xi32>
        %u = arith.extsi %x : i8 to i32
        %v = arith.extsi %y : i8 to i32
        %p = arith.muli %u, %v : i32
        %t = arith.addi %s, %p : i32
        affine.store %t, %c[%i, %j] : memref<{0}x{0}xi32>
      }}
    }}
  }}
  return
}}
)",
                     size);
}

/// Two of them where they share a factor.
TEST(Integers, AProductOfBytesTakesOneBlock) {
  for (uint64_t lanes : {1, 8}) {
    SynthesizedKernel made(matmul(8), {lanes});
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(made.synthesis.interface.estimate->dsp, lanes == 1 ? 1 : 4);
    EXPECT_LT(made.cycles(), 8 * 8 * 8 / lanes + 20);
    std::vector<GoldenType> types = made.golden().arguments();
    expectSynthesizedRight(made, randomInputs(types, lanes), randomInputs(types, 9), true);
  }
}

/// Products of up to nine factors of 4 to 12 bits, with sign or not, each factor in several of
/// them; some of them factors of further ones.
std::string sharedFactors(uint64_t seed) {
  CounterRandom random(seed, /*substream=*/0x70616972);
  unsigned factors = 3 + random.below(7), products = 2 + random.below(9);
  std::string arguments, body, sum = "%old";
  for (unsigned n = 0; n < factors; ++n) {
    unsigned bits = random.below(3) ? 8 : 4 + random.below(9);
    arguments += fmt::format("%a{}: memref<8xi{}>, ", n, bits);
    body += fmt::format("    %x{0} = affine.load %a{0}[%i] : memref<8xi{1}>\n"
                        "    %e{0} = arith.{2} %x{0} : i{1} to i32\n",
                        n, bits, random.below(2) ? "extsi" : "extui");
  }
  for (unsigned n = 0; n < products; ++n) {
    unsigned first = random.below(n ? 3 : 2), one = random.below(factors);
    std::string a = fmt::format("%e{}", one);
    if (first == 2) { // a byte of an earlier product
      body += fmt::format("    %t{0} = arith.trunci %p{1} : i32 to i8\n"
                          "    %f{0} = arith.extsi %t{0} : i8 to i32\n",
                          n, random.below(n));
      a = fmt::format("%f{}", n);
    }
    body += fmt::format("    %p{0} = arith.muli {1}, %e{2} : i32\n"
                        "    %s{0} = arith.{3} {4}, %p{0} : i32\n",
                        n, a, random.below(3) ? (one + 1 + n % 2) % factors : 0,
                        n % 2 ? "xori" : "addi", sum);
    sum = fmt::format("%s{}", n);
  }
  return fmt::format(R"(
func.func @kernel({}%y: memref<8xi32>) {{
  affine.for %i = 0 to 8 {{
    %old = affine.load %y[%i] : memref<8xi32>
{}    affine.store {}, %y[%i] : memref<8xi32>
  }}
  return
}}
)",
                     arguments, body, sum);
}

/// In the interpreter and with a model of the block that takes no factors but those that fit.
TEST(Integers, PairsOfProductsComputeWhatRandomProgramsDo) {
  unsigned pairs = 0, plain = 0;
  for (uint64_t seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
    std::string text = sharedFactors(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    SynthesizedKernel made(text, {1 + seed % 2});
    ASSERT_FALSE(HasFailure());
    std::vector<GoldenType> types = made.golden().arguments();
    expectSynthesizedRight(made, randomInputs(types, seed), randomInputs(types, seed + 1), true);
    made.synthesis.kernel.walk([&](MultiplyPairOp op) { ++(op.getIsUnsigned() ? plain : pairs); });
  }
  EXPECT_GE(pairs, 60u);
  EXPECT_GE(plain, 10u);
}

/// Verilator has the unit itself.
TEST(Integers, PairsOfProductsUnderVerilator) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  std::string text = matmul(8);
  SynthesizedKernel made(text, {8});
  ASSERT_FALSE(HasFailure());
  llvm::cantFail(writeKernelFiles(folder.path(), made.synthesis, text));
  EXPECT_EQ(made.synthesis.interface.units.at("multiply_pair_i16_9x16x16"), 4u);
  llvm::Expected<CosimResult> result = cosim(folder.path(), {});
  ASSERT_TRUE(bool(result)) << toText(result.takeError());
  EXPECT_THAT(result->problems, IsEmpty());
  EXPECT_EQ(result->cycles, made.cycles());
}

double blocksOf(const std::string &type, const std::string &cast, const std::string &wide) {
  SynthesizedKernel made(fmt::format(R"(
func.func @kernel(%a: memref<8x{0}>, %b: memref<8x{0}>, %c: memref<8x{2}>) {{
  affine.for %i = 0 to 8 {{
    %x = affine.load %a[%i] : memref<8x{0}>
    %y = affine.load %b[%i] : memref<8x{0}>
    %u = arith.{1} %x : {0} to {2}
    %v = arith.{1} %y : {0} to {2}
    %p = arith.muli %u, %v : {2}
    affine.store %p, %c[%i] : memref<8x{2}>
  }}
  return
}}
)",
                                     type, cast, wide),
                         {1});
  std::vector<GoldenType> types = made.golden().arguments();
  expectSynthesizedRight(made, randomInputs(types, 5), randomInputs(types, 6), true);
  return made.synthesis.interface.estimate->dsp;
}

/// A block multiplies 25 by 18 bits with signs; i32 by i32 takes three for its low half, i64 eight.
TEST(Integers, ProductsTakeTheBlocksOfTheirFactors) {
  EXPECT_EQ(blocksOf("i8", "extsi", "i32"), 1);
  EXPECT_EQ(blocksOf("i8", "extui", "i32"), 1);
  EXPECT_EQ(blocksOf("i16", "extsi", "i32"), 1);
  EXPECT_EQ(blocksOf("i17", "extui", "i64"), 1);
  EXPECT_EQ(blocksOf("i32", "extsi", "i64"), 4);
  EXPECT_EQ(blocksOf("i32", "extui", "i64"), 4);
  EXPECT_EQ(blocksOf("i34", "extsi", "i64"), 8);
}

/// Sums of shifts take no multiplier, long constants in wide numbers do.
TEST(Integers, ProductsWithConstantsAreShiftsAndAddsWhereTheseAreCheaper) {
  auto blocks = [](const std::string &type, int64_t factor) {
    SynthesizedKernel made(fmt::format(R"(
func.func @kernel(%a: memref<8x{0}>) {{
  %f = arith.constant {1} : {0}
  affine.for %i = 0 to 8 {{
    %x = affine.load %a[%i] : memref<8x{0}>
    %p = arith.muli %x, %f : {0}
    affine.store %p, %a[%i] : memref<8x{0}>
  }}
  return
}}
)",
                                       type, factor),
                           {1});
    std::vector<GoldenType> types = made.golden().arguments();
    expectSynthesizedRight(made, randomInputs(types, 5), randomInputs(types, 6), true);
    return made.synthesis.interface.estimate->dsp;
  };
  for (int64_t factor : {3, 7, -1, -5, 100, 255, 1023})
    for (const char *type : {"i16", "i32"})
      EXPECT_EQ(blocks(type, factor), 0) << type << ' ' << factor;
  EXPECT_EQ(blocks("i64", 255), 0);
  EXPECT_EQ(blocks("i64", 100), 8); // two levels of 64 bits are more than half of a cycle
  EXPECT_EQ(blocks("i32", 0x55555555), 3);
  EXPECT_EQ(blocks("i16", 0x5555), 0); // seven adders of 16 bits
}

} // namespace
