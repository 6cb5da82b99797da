// What random programs have found, each in a program of its own.
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/programs/RandomInputs.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

void expectRight(const std::string &text, const std::vector<uint64_t> &unroll = {1}) {
  SCOPED_TRACE(text);
  for (uint64_t seed : {1, 2, 3}) {
    SynthesizedKernel made(text, unroll);
    ASSERT_FALSE(testing::Test::HasFailure());
    std::vector<GoldenType> types = made.golden().arguments();
    expectSynthesizedRight(made, randomInputs(types, seed), {}, false);
  }
}

/// A body of nothing but its end, which stores what the next value is chosen from.
TEST(Found, CarriedValuesThatOnlyChangePlaces) {
  expectRight(R"(
func.func @kernel(%x: i32, %y: i32, %n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %sum = affine.for %i = 0 to 3 iter_args(%s = %y) -> (i32) {
    %t = arith.addi %s, %x : i32
    affine.yield %t : i32
  }
  %index = arith.index_castui %n : i32 to index
  %end = arith.minui %index, %c6 : index
  %a, %b = scf.for %i = %c0 to %end step %c1 iter_args(%p = %x, %q = %sum) -> (i32, i32) {
    scf.yield %q, %p : i32, i32
  }
  return %a, %b : i32, i32
}
)");
}

/// Loops that start at the largest of several numbers are not unrolled by a factor for all.
TEST(Found, StartsThatCannotBeUnrolled) {
  expectRight(R"(
func.func @kernel(%a: memref<12xi32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = max affine_map<(d0) -> (d0 - 1, 2 - d0)>(%i) to 11 {
      %x = affine.load %a[%j] : memref<12xi32>
      %y = affine.load %a[%j + 1] : memref<12xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %a[%j + 1] : memref<12xi32>
    }
  }
  return
}
)",
              {4});
}

/// An index argument whose bits count at the last of all places that are looked at.
TEST(Found, AnArgumentThatIsDividedForAnAddress) {
  expectRight(R"(
func.func @kernel(%n: index, %a: memref<6xi32>) -> i32 {
  %c6 = arith.constant 6 : index
  %at = arith.remui %n, %c6 : index
  %x = memref.load %a[%at] : memref<6xi32>
  return %x : i32
}
)");
}

/// Quotients that a loop carries on from, and least numbers of affine expressions, are written out.
TEST(Found, AffineExpressionsAsNumbers) {
  expectRight(R"(
func.func @kernel(%n: index, %a: memref<4xindex>) -> index {
  %half = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]
  %last = affine.for %i = 0 to 3 iter_args(%c = %half) -> (index) {
    %b = affine.load %a[%i] : memref<4xindex>
    %d = arith.addi %c, %b : index
    affine.yield %d : index
  }
  %wide = affine.apply affine_map<()[s0] -> (s0 * 1000000000)>()[%n]
  %least = affine.min affine_map<()[s0, s1] -> (s0, s1 + 3)>()[%wide, %n]
  affine.store %least, %a[3] : memref<4xindex>
  return %last : index
}
)");
}

/// A condition that takes 64 bits is no affine one, in the circuit neither.
TEST(Found, ConditionsOfLargeNumbers) {
  for (const char *number : {"-3818202852646101884", "4294967296", "-2147483650"}) {
    SynthesizedKernel made(fmt::format(R"(
func.func @kernel(%a: memref<4xi32>, %n: index) {{
  %c = arith.constant {} : index
  affine.for %i = 0 to 4 {{
    %is = arith.cmpi sgt, %n, %c : index
    scf.if %is {{
      %v = arith.index_cast %n : index to i32
      affine.store %v, %a[%i] : memref<4xi32>
    }}
  }}
  return
}}
)",
                                       number),
                           {1});
    ASSERT_FALSE(HasFailure());
    std::vector<GoldenType> types = made.golden().arguments();
    expectSynthesizedRight(made, randomInputs(types, 1), randomInputs(types, 2), true);
  }
}

/// Processors with instructions for bf16 made zeros of them in golden programs.
TEST(Found, SubnormalHalvesStayWhatTheyAre) {
  SynthesizedKernel made(R"(
func.func @kernel(%a: memref<4xbf16>, %b: memref<4xbf16>, %n: i32, %s: bf16) -> (bf16, bf16) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = affine.load %a[2] : memref<4xbf16>
  affine.store %s, %a[2] : memref<4xbf16>
  %r:2 = scf.while (%i = %n, %x = %s) : (i32, bf16) -> (i32, bf16) {
    %goes = arith.cmpi sgt, %i, %zero : i32
    scf.condition(%goes) %i, %x : i32, bf16
  } do {
  ^bb0(%i: i32, %x: bf16):
    %m = arith.subi %i, %one : i32
    %is = arith.cmpf uge, %x, %s : bf16
    %y = arith.select %is, %first, %x : bf16
    scf.yield %m, %y : i32, bf16
  }
  affine.store %r#1, %b[1] : memref<4xbf16>
  %sum = arith.addf %first, %first : bf16
  affine.store %sum, %b[2] : memref<4xbf16>
  return %first, %r#1 : bf16, bf16
}
)",
                         {1});
  ASSERT_FALSE(HasFailure());
  const std::vector<GoldenType> &types = made.golden().arguments();
  std::vector<KernelArray> inputs{makeFloats(types[0].type, {4}, {1, 2, 0x1p-133, 4}),
                                  makeFloats(types[1].type, {4}, {0, 0, 0, 0}),
                                  makeIntegers(types[2].type, {}, {3}),
                                  makeFloats(types[3].type, {}, {-0x1p-130})};
  expectSynthesizedRight(made, inputs, {}, false);
}

} // namespace
