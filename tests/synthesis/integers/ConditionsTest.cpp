// Affine conditions on numbers of 32 and 64 bits, whose sums and products have more: arguments, and
// words that are read before the loops.
#include "core/support/CounterRandom.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/programs/RandomInputs.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr unsigned kConditions = 14;

/// A sum of counter (d0), two numbers of 32 bits (s0, s1) and two of 64 (s2, s3).
std::string form(CounterRandom &random) {
  static const char *const numbers[] = {"d0", "s0", "s1", "s2", "s3"};
  static const char *const factors[] = {"1", "-1", "1", "3", "-2", "3000000007"};
  static const char *const terms[] = {"0", "1", "-7", "5000000000", "-2147483648"};
  static const char *const parts[] = {"", " mod 7", " floordiv 5", " mod 8"};
  std::string sum = terms[random.below(5)];
  for (unsigned n = 0; n < 2; ++n) {
    unsigned number = random.below(5);
    const char *part = number < 3 ? parts[random.below(4)] : "";
    sum += fmt::format(" + {} * ({} + {}{})", factors[random.below(6)], numbers[number],
                       number < 3 ? numbers[random.below(3)] : numbers[number], part);
  }
  return sum;
}

/// One condition in three is an equality, made of remainders so that it holds now and then.
std::string program(uint64_t seed) {
  CounterRandom random(seed, /*substream=*/0x636f6e64);
  std::string body;
  for (unsigned n = 0; n < kConditions; ++n) {
    std::string constraints = random.below(3) ? fmt::format("{} >= 0", form(random))
                                              : fmt::format("(s0 + d0) mod 3 - {} == 0", n % 3);
    if (random.below(2))
      constraints += fmt::format(", {} >= 0", form(random));
    body += fmt::format(R"(
    %r{0} = affine.if affine_set<(d0)[s0, s1, s2, s3] : ({1})>(%i)[%n, %m, %x, %y] -> i32 {{
      affine.yield %one : i32
    }} else {{
      affine.yield %two : i32
    }}
    affine.store %r{0}, %out[%i, {0}] : memref<3x{2}xi32>
)",
                        n, constraints, kConditions);
  }
  return fmt::format(R"(
func.func @kernel(%n32: i32, %m32: i32, %a: memref<2xi64>, %k: memref<2xindex>, %out: memref<3x{0}xi32>) {{
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %n = arith.index_cast %n32 : i32 to index
  %m = arith.index_cast %m32 : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x64 = memref.load %a[%c0] : memref<2xi64>
  %x = arith.index_cast %x64 : i64 to index
  %y = memref.load %k[%c1] : memref<2xindex>
  affine.for %i = 0 to 3 {{{1}  }}
  return
}}
)",
                     kConditions, body);
}

TEST(Integers, ConditionsOfMoreThan32Bits) {
  SynthesizedKernel made(program(1), {});
  ASSERT_FALSE(HasFailure());
  std::vector<GoldenType> types = made.golden().arguments();
  expectSynthesizedRight(made, randomInputs(types, 1), randomInputs(types, 2), true);
}

/// The interpreter has indices of 64 bits, so what is looked at here is the rest of the line.
TEST(Integers, ConditionsOfMoreThan32BitsUnrolled) {
  for (uint64_t seed = 2; seed < 4; ++seed) {
    SynthesizedKernel made(program(seed), {3});
    ASSERT_FALSE(HasFailure());
    std::vector<GoldenType> types = made.golden().arguments();
    for (uint64_t input = 0; input < 3; ++input)
      expectSynthesizedRight(made, randomInputs(types, input), {}, false);
  }
}

} // namespace
