// What the form between preparation and scheduling is not.
#include "hw/hls/prepare/control/LoopForm.h"
#include "tests/hls/prepare/KernelText.h"

#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace spindle::hls;

namespace {

/// The first error of the form in the only function; empty where it has the form.
std::string errorIn(const std::string &text) {
  KernelText kernel(text);
  std::string message;
  mlir::ScopedDiagnosticHandler listen(kernel.context.get(), [&](mlir::Diagnostic &diagnostic) {
    message = diagnostic.str();
    return mlir::success();
  });
  auto function = *kernel.module->getOps<mlir::func::FuncOp>().begin();
  bool hasForm = mlir::succeeded(verifyLoopForm(function));
  EXPECT_EQ(hasForm, message.empty());
  return message;
}

std::string errorInBody(const std::string &body) {
  return errorIn("func.func @f(%n: index, %m: i32, %c: i1, %x: memref<8xf32>) {\n"
                 "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
                 "%two = arith.constant 2 : index\n%v = affine.load %x[0] : memref<8xf32>\n" +
                 body + "\nreturn\n}");
}

TEST(LoopForm, LoopsThatCountOtherwise) {
  EXPECT_EQ(errorInBody("scf.for %i = %zero to %n step %one {\n}"), "");
  const char *const otherwise =
      "a loop between data counts otherwise than by signed indices in steps of 1";
  EXPECT_EQ(errorInBody("scf.for %i = %zero to %n step %two {\n}"), otherwise);
  EXPECT_EQ(errorInBody("scf.for %i = %zero to %n step %n {\n}"), otherwise);
  EXPECT_EQ(errorInBody("scf.for unsigned %i = %zero to %n step %one {\n}"), otherwise);
  EXPECT_EQ(errorInBody("scf.for %i = %m to %m step %m : i32 {\n}"), otherwise);
  EXPECT_EQ(errorInBody("affine.for %i = 0 to 8 step 2 {\n}"), "the loop has step 2, expected 1");
}

TEST(LoopForm, BoundsOfMoreThan32Bits) {
  auto errorOf = [](const std::string &bounds) {
    return errorInBody("%far = arith.constant -2147483649 : index\naffine.for %i = 0 to 3 {\n" +
                       bounds + " {\n}\n}");
  };
  auto expected = [](const std::string &bound) {
    return "the loop has the bound " + bound +
           ", which takes more than 32 bits: count from 0 and add the rest";
  };
  EXPECT_EQ(errorOf("affine.for %j = -2147483648 to 2147483647"), "");
  EXPECT_EQ(errorOf("affine.for %j = 0 to 2147483648"), expected("2147483648"));
  EXPECT_EQ(errorOf("affine.for %j = -2147483649 to %n"), expected("-2147483649"));
  EXPECT_EQ(
      errorOf("affine.for %j = 0 to min affine_map<(d0)[s0] -> (s0, d0 * 2000000000)>(%i)[%n]"),
      expected("4000000000"));
  EXPECT_EQ(errorOf("affine.for %j = 0 to affine_map<()[s0] -> (s0 + 4000000000)>()[%n]"), "");
  EXPECT_EQ(errorOf("scf.for %j = %far to %n step %one"), expected("-2147483649"));
}

TEST(LoopForm, ConditionsAroundLoops) {
  const char *const holds = "a condition holds a loop, expected the condition in the loop";
  EXPECT_EQ(errorInBody("scf.if %c {\naffine.for %i = 0 to 8 {\n}\n}"), holds);
  EXPECT_EQ(errorInBody("scf.if %c {\nscf.for %i = %zero to %n step %one {\n}\n}"), holds);
}

TEST(LoopForm, LocalArraysInLoops) {
  EXPECT_EQ(errorInBody("affine.for %i = 0 to 8 {\n%a = memref.alloc() : memref<4xf32>\n}"),
            "a local array is made inside a loop, expected before all loops");
}

TEST(LoopForm, FunctionsOfOtherShapes) {
  EXPECT_EQ(errorIn("func.func @f(%x: memref<8xf32>) -> memref<8xf32> {\n"
                    "return %x : memref<8xf32>\n}"),
            "a result is no scalar, expected arrays among the arguments");
  EXPECT_EQ(errorIn("func.func @f() {\ncf.br ^end\n^end:\nreturn\n}"),
            "branches to labels are left, expected loops and conditions");
}

} // namespace
