#include "tests/hls/prepare/KernelText.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

const std::string twoFunctions = R"(
  func.func private @twice(%x: f64) -> f64 {
    %y = arith.addf %x, %x : f64
    return %y : f64
  }
  func.func @scale(%n: i32, %a: memref<8xf64>) {
    %end = arith.index_cast %n : i32 to index
    affine.for %i = 0 to %end {
      %x = affine.load %a[%i] : memref<8xf64>
      %y = func.call @twice(%x) : (f64) -> f64
      affine.store %y, %a[%i] : memref<8xf64>
    }
    return
  }
  func.func @other() {
    return
  }
)";

TEST(Prepare, TheTopStandsAloneWithItsCalleesInside) {
  std::string text = preparedText(twoFunctions, {"scale", {{0, {8}}}});
  EXPECT_THAT(text, HasSubstr("func.func @scale(%arg0: i32 {hls.bound}, %arg1: memref<8xf64>)"));
  EXPECT_THAT(text, HasSubstr("affine.for %arg2 = 0 to 8"));
  EXPECT_THAT(text, Not(HasSubstr("call")));
  EXPECT_THAT(text, Not(HasSubstr("@twice")));
  EXPECT_THAT(text, Not(HasSubstr("@other")));
}

/// Each function may stand before or after those that it calls.
TEST(Prepare, CalleesOfLoopsThatNeverRunAreGone) {
  const std::string inner = "func.func private @inner(%n: index) -> index {\n"
                            "  %x = arith.addi %n, %n : index\n  return %x : index\n}\n",
                    outer = "func.func private @outer(%n: index) -> index {\n"
                            "  %x = call @inner(%n) : (index) -> index\n  return %x : index\n}\n",
                    top = "func.func @top(%n: index) -> index {\n"
                          "  %last = affine.for %i = 3 to 3 iter_args(%x = %n) -> index {\n"
                          "    %y = func.call @outer(%x) : (index) -> index\n"
                          "    affine.yield %y : index\n  }\n  return %last : index\n}\n";
  std::vector<std::string> order = {inner, outer, top};
  std::sort(order.begin(), order.end());
  do {
    std::string text = preparedText(order[0] + order[1] + order[2], {"top", {}});
    EXPECT_THAT(text, HasSubstr("func.func @top("));
    EXPECT_THAT(text, Not(HasSubstr("private")));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Prepare, TheTopMustBeNamedAmongSeveral) {
  EXPECT_EQ(preparedText(twoFunctions), "kernel.mlir: error: which function is to be synthesised? "
                                        "choose one by --top, there: twice, scale, other");
  EXPECT_EQ(preparedText(twoFunctions, {"scales", {}}),
            "kernel.mlir: error: no function 'scales' to synthesise, there: twice, scale, other");
  EXPECT_EQ(preparedText("func.func private @outside()", {"outside", {}}),
            "kernel.mlir:1:1: error: function 'outside' has no body");
}

TEST(Prepare, CallsNeedABodyAndAnEnd) {
  EXPECT_EQ(preparedText(R"(
func.func private @outside()
func.func @top() {
  call @outside() : () -> ()
  return
})"),
            "kernel.mlir:4:3: error: calls 'outside', which has no body: give its definition");
  EXPECT_EQ(preparedText(R"(
func.func private @inner() {
  call @top() : () -> ()
  return
}
func.func @top() {
  call @inner() : () -> ()
  return
})"),
            "kernel.mlir:3:3: error: calls 'top' recursively: hardware has no stack, write a loop");
  EXPECT_EQ(preparedText(R"(
func.func private @inner() {
  return
}
func.func @top(%c: i1) {
  %0 = constant @inner : () -> ()
  call_indirect %0() : () -> ()
  return
})"),
            "kernel.mlir:7:3: error: func.call_indirect is not supported: call a function by its "
            "name, with func.call");
}

TEST(Prepare, WrongBindingsAreRefused) {
  const std::string kernel = "func.func @top(%n: i8, %x: f32, %a: memref<?x4xf32>) {\n  return\n}";
  const std::string place = "kernel.mlir:1:1: error: argument ";
  EXPECT_EQ(preparedText(kernel, {"", {{3, {1}}}}),
            "kernel.mlir:1:1: error: no argument 3 to bind, 'top' has 3");
  EXPECT_EQ(preparedText(kernel, {"", {{0, {300}}}}), place + "0 has type 'i8', 300 does not fit");
  EXPECT_EQ(preparedText(kernel, {"", {{0, {3, 4}}}}),
            place + "0 has type 'i8', expected one number to bind it to");
  EXPECT_EQ(preparedText(kernel, {"", {{1, {3}}}}),
            place + "1 has type 'f32', only integers and shapes can be bound");
  EXPECT_EQ(preparedText(kernel, {"", {{2, {3, 5}}}}),
            place + "2 has type 'memref<?x4xf32>', which has no such shape as is bound; bind one "
                    "extent for each "
                    "dimension, such as 2=8x4");
  EXPECT_THAT(preparedText(kernel, {"", {{2, {3, 4}}}}), HasSubstr("memref<3x4xf32>"));
  EXPECT_THAT(preparedText("func.func @top(%a: memref<f32>) {\n  return\n}", {"", {{0, {3}}}}),
              HasSubstr("which has no such shape as is bound; it has no extents, leave the "
                        "binding out"));
}

/// Rounded once, 2^61 + 2^37 + 1 is another f32 than rounded to f64 first.
TEST(Prepare, TwoRoundingsStayTwo) {
  std::string text = preparedText(R"(
func.func @f(%x: i64) -> (f32, f32, f16) {
  %wide = arith.sitofp %x : i64 to f64
  %called = func.call @inner(%x) : (i64) -> f32
  %narrow = arith.truncf %wide : f64 to f32
  %half = arith.uitofp %x : i64 to f16
  return %narrow, %called, %half : f32, f32, f16
}
func.func private @inner(%x: i64) -> f32 {
  %wide = arith.uitofp %x : i64 to f64
  %narrow = arith.truncf %wide : f64 to f32
  return %narrow : f32
})");
  for (const char *kept : {"arith.sitofp %arg0 : i64 to f64", "arith.uitofp %arg0 : i64 to f64",
                           "arith.uitofp %arg0 : i64 to f32", "f32 to f16"})
    EXPECT_THAT(text, HasSubstr(kept));
}

/// Chains in which each index reads the one before twice: looked at once each, they take no time.
TEST(Prepare, LongChainsOfIndices) {
  std::string chosen, doubled;
  for (int n = 0; n < 60; ++n) {
    std::string last = n ? std::to_string(n - 1) : "";
    std::string s = n ? "%s" + last : "%i", d = n ? "%d" + last : "%i", now = std::to_string(n);
    chosen += "%b" + now + " = affine.load %c[" + now + "] : memref<60xi1>\n%a" + now +
              " = arith.addi " + s + ", %c1 : index\n%s" + now + " = arith.select %b" + now +
              ", %a" + now + ", " + s + " : index\n";
    doubled += "%d" + now + " = arith.addi " + d + ", " + d + " : index\n";
  }
  EXPECT_THAT(preparedText("func.func @f(%c: memref<60xi1>, %y: memref<8xi1>) {\n"
                           "%c1 = arith.constant 1 : index\n%limit = arith.constant 5 : index\n"
                           "affine.for %i = 0 to 8 {\n" +
                           chosen +
                           "%r = arith.cmpi slt, %s59, %limit : index\n"
                           "affine.store %r, %y[%i] : memref<8xi1>\n}\nreturn\n}"),
              HasSubstr("arith.select"));
  EXPECT_THAT(preparedText("func.func @f(%y: memref<8xi64>) {\n%c1 = arith.constant 1 : index\n"
                           "affine.for %i = 0 to 8 {\n" +
                           doubled +
                           "%r = arith.index_cast %d59 : index to i64\n"
                           "affine.store %r, %y[%i] : memref<8xi64>\n"
                           "scf.for %k = %i to %d27 step %c1 {\n"
                           "affine.store %r, %y[0] : memref<8xi64>\n}\n}\nreturn\n}"),
              HasSubstr("affine.store"));
}

} // namespace
