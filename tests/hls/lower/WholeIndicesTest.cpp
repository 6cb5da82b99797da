// Indices that are more than addresses: shifted, cut to the least, compared, stored, as circuits.
#include "tests/hls/lower/ExpectRight.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle::hls;

namespace {

/// Reads eight numbers of `type`, makes an index of each and stores `y[i] = t[index]`.
std::string lookups(const std::string &type, const std::string &index) {
  return fmt::format(R"(
func.func @kernel(%x: memref<8x{0}>, %t: memref<64xi32>, %y: memref<8xi32>) {{
  %c4 = arith.constant 4 : index
  %c58 = arith.constant 58 : index
  %c60 = arith.constant 60 : index
  %c63 = arith.constant 63 : index
  affine.for %i = 0 to 8 {{
    %a = affine.load %x[%i] : memref<8x{0}>
{1}
    %v = memref.load %t[%s] : memref<64xi32>
    affine.store %v, %y[%i] : memref<8xi32>
  }}
  return
}}
)",
                     type, index);
}

/// The high half of a byte: the address has fewer bits than what is shifted.
TEST(WholeIndices, AreShiftedBeforeTheyAreCut) {
  expectRightThroughout(lookups("i8", "%k = arith.index_castui %a : i8 to index\n"
                                      "%s = arith.shrui %k, %c4 : index"));
  expectRightThroughout(lookups("i64", "%k = arith.index_cast %a : i64 to index\n"
                                       "%s = arith.shrui %k, %c58 : index"));
  // By data, to the right and to the left, of numbers with a sign and without.
  expectRightThroughout(lookups("i8", R"(
    %k = arith.index_castui %a : i8 to index
    %low = arith.andi %k, %c4 : index
    %high = arith.shrui %k, %low : index
    %far = arith.shli %high, %low : index
    %s = arith.andi %far, %c63 : index)"));
  expectRightThroughout(lookups("i8", R"(
    %k = arith.index_cast %a : i8 to index
    %low = arith.andi %k, %c60 : index
    %high = arith.shrsi %k, %low : index
    %s = arith.andi %high, %c63 : index)"));
  expectRightThroughout(lookups("i8", R"(
    %k = arith.index_cast %a : i8 to index
    %high = arith.shrui %k, %c4 : index
    %s = arith.shrui %high, %c58 : index)"));
}

/// Numbers that differ above bit 32 only.
TEST(WholeIndices, AreComparedBeforeTheyAreCut) {
  for (const char *operation : {"minui", "minsi"})
    expectRightThroughout(lookups("i64", fmt::format(R"(
    %c45 = arith.constant 45 : i64
    %c0 = arith.constant 0 : index
    %large = arith.shli %a, %c45 : i64
    %odd = arith.ori %large, %a : i64
    %k = arith.index_cast %odd : i64 to index
    %n = arith.maxsi %k, %c0 : index
    %s = arith.{} %n, %c63 : index)",
                                                     operation)));
}

/// Outside of loops, where data are symbols of affine expressions.
TEST(WholeIndices, AreShiftedWholeOutsideOfLoops) {
  expectRightThroughout(R"(
func.func @kernel(%x: memref<1xi64>, %t: memref<64xi32>, %y: memref<2xi32>) {
  %c60 = arith.constant 60 : index
  %c4 = arith.constant 4 : index
  %c15 = arith.constant 15 : index
  %a = affine.load %x[0] : memref<1xi64>
  %k = arith.index_cast %a : i64 to index
  %high = arith.shrsi %k, %c60 : index
  %s = arith.addi %high, %c15 : index
  %v = memref.load %t[%s] : memref<64xi32>
  affine.store %v, %y[0] : memref<2xi32>
  %byte = arith.trunci %a : i64 to i8
  %n = arith.index_castui %byte : i8 to index
  %half = arith.shrsi %n, %c4 : index
  %w = memref.load %t[%half] : memref<64xi32>
  affine.store %w, %y[1] : memref<2xi32>
  return
}
)");
}

/// Affine numbers beyond 32 bits, as data.
TEST(WholeIndices, AreStoredWhole) {
  expectRightThroughout(R"(
func.func @kernel(%n: i32, %y: memref<16xi64>, %z: memref<16xi1>) {
  %end = arith.index_cast %n : i32 to index
  %limit = arith.constant 9000000000 : index
  affine.for %i = 0 to 16 {
    %k = affine.apply affine_map<(d0) -> (d0 * 1000000007 - 8000000000)>(%i)
    %v = arith.index_cast %k : index to i64
    affine.store %v, %y[%i] : memref<16xi64>
    %m = affine.apply affine_map<(d0)[s0] -> (d0 * 1000000007 + s0)>(%i)[%end]
    %c = arith.cmpi ult, %m, %limit : index
    affine.store %c, %z[%i] : memref<16xi1>
  }
  return
}
)");
}

TEST(Bounds, ThatAreQuotientsOfArguments) {
  for (const char *bounds :
       {"0 to affine_map<()[s0] -> ((s0 + 9) floordiv 3)>()[%n]", "0 to %n step 5",
        "affine_map<()[s0] -> (s0 floordiv 7)>()[%n] to 3",
        "0 to affine_map<()[s0] -> ((s0 * 5) mod 7)>()[%n]", "-8 to %n step 3"})
    expectRightThroughout(fmt::format(R"(
func.func @kernel(%m: i32, %y: memref<1xi32>) {{
  %n = arith.index_cast %m : i32 to index
  affine.for %i = {} {{
    %v = affine.load %y[0] : memref<1xi32>
    %k = arith.index_cast %i : index to i32
    %w = arith.subi %v, %k : i32
    affine.store %w, %y[0] : memref<1xi32>
  }}
  return
}}
)",
                                      bounds));
}

/// Unsigned loops from a negative number are empty.
TEST(Bounds, AreComparedAsTheProgramSays) {
  for (const char *type : {"index", "i32"})
    expectRightThroughout(fmt::format(R"(
func.func @kernel(%b: memref<2xi32>, %y: memref<2xi32>) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %step = arith.{1} %c1 : i32 to {0}
  %lo = affine.load %b[0] : memref<2xi32>
  %some = affine.load %b[1] : memref<2xi32>
  %hi = arith.andi %some, %c7 : i32
  %l = arith.{1} %lo : i32 to {0}
  %h = arith.{1} %hi : i32 to {0}
  %unsigned = scf.for unsigned %i = %l to %h step %step iter_args(%q = %c0) -> (i32) : {0} {{
    %n = arith.addi %q, %c1 : i32
    scf.yield %n : i32
  }}
  %signed = scf.for %i = %l to %h step %step iter_args(%q = %c0) -> (i32) : {0} {{
    %n = arith.addi %q, %c1 : i32
    scf.yield %n : i32
  }}
  affine.store %unsigned, %y[0] : memref<2xi32>
  affine.store %signed, %y[1] : memref<2xi32>
  return
}}
)",
                                      type,
                                      std::string(type) == "index" ? "index_cast" : "bitcast"));
}

/// The first row is empty: the value that the nest starts from goes through it.
TEST(CarriedNests, StartFromWhatIsComputedThoughTheirFirstRowIsEmpty) {
  for (const char *row :
       {"0 to affine_map<(d0) -> (d0)>(%i)", "0 to affine_map<(d0) -> (d0 - 3)>(%i)",
        "affine_map<(d0) -> (d0)>(%i) to 5"})
    expectRightThroughout(fmt::format(R"(
func.func @kernel(%x: memref<1xi32>, %a: memref<8x8xi32>, %y: memref<1xi32>) {{
  %s0 = affine.load %x[0] : memref<1xi32>
  %s = affine.for %i = 0 to 8 iter_args(%p = %s0) -> (i32) {{
    %r = affine.for %j = {} iter_args(%q = %p) -> (i32) {{
      %v = affine.load %a[%i, %j] : memref<8x8xi32>
      %n = arith.addi %q, %v : i32
      affine.yield %n : i32
    }}
    affine.yield %r : i32
  }}
  affine.store %s, %y[0] : memref<1xi32>
  return
}}
)",
                                      row));
}

/// A loop of the program that looks like one whose decision is in a register.
TEST(OpenLoops, MayLookAtAnArrayOfTheProgram) {
  expectRightThroughout(R"(
func.func @kernel(%f: memref<i1>, %x: memref<8xi32>) {
  scf.while : () -> () {
    %c = affine.load %f[] : memref<i1>
    scf.condition(%c)
  } do {
    affine.for %i = 0 to 8 {
      %v = affine.load %x[%i] : memref<8xi32>
      %n = arith.addi %v, %v : i32
      affine.store %n, %x[%i] : memref<8xi32>
    }
    %z = arith.constant false
    affine.store %z, %f[] : memref<i1>
    scf.yield
  }
  return
}
)");
}

/// More tasks than the control's tables have room for at first, most of them inside others.
TEST(OpenLoops, MayHoldManyTasks) {
  std::string inner;
  for (int n = 0; n < 50; ++n)
    inner += fmt::format("affine.for %j = 0 to 2 {{\n%v = affine.load %x[{0}] : memref<8xi32>\n"
                         "%n = arith.addi %v, %c : i32\n"
                         "affine.store %n, %x[{0}] : memref<8xi32>\n}}\n",
                         n % 8);
  expectRightThroughout("func.func @kernel(%x: memref<8xi32>, %c: i32) {\n"
                        "affine.for %i = 0 to 2 {\n" +
                        inner + "}\nreturn\n}\n");
}

} // namespace
