// Programs from anywhere: what they may not reach, and what becomes of those that break.
#include "hw/program/Confine.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

constexpr ElementType int32{ElementType::Kind::Integer, 32};
constexpr ElementType indexNumber{ElementType::Kind::Index, 64};

/// What @f returns for these arguments, or the one line of the error.
std::string outcomeOf(const std::string &text, std::vector<KernelArray> arguments = {},
                      double seconds = 60) {
  auto context = makeProgramContext();
  auto module = parseProgram(*context, text, "f.mlir");
  if (!module)
    return toText(module.takeError());
  auto golden = Golden::compile(**module, "f");
  if (!golden)
    return toText(golden.takeError());
  auto values = golden->run(std::move(arguments), seconds);
  if (!values)
    return toText(values.takeError());
  return values->results.empty() ? "done" : numberText(int32, values->results[0].at(0));
}

TEST(UntrustedProgram, CallsNothingOutside) {
  const std::string call = "func.func @f() -> i32 {\n  %c = arith.constant -5 : i32\n"
                           "  %r = call @abs(%c) : (i32) -> i32\n  return %r : i32\n}\n";
  EXPECT_EQ(outcomeOf("func.func private @abs(i32) -> i32\n" + call),
            "f.mlir:4:8: error: calls 'abs', which has no body: give its definition");
  EXPECT_THAT(outcomeOf("llvm.func @abs(i32) -> i32\nfunc.func @f() -> i32 {\n"
                        "  %c = arith.constant -5 : i32\n"
                        "  %r = llvm.call @abs(%c) : (i32) -> i32\n  return %r : i32\n}\n"),
              StartsWith("f.mlir:4:8: error: refers to 'abs', expected a func.func or "));
  // A reference is as good as a call.
  EXPECT_THAT(outcomeOf("func.func private @abs(i32) -> i32\nfunc.func @f() -> i32 {\n"
                        "  %g = func.constant @abs : (i32) -> i32\n"
                        "  %c = arith.constant -5 : i32\n"
                        "  %r = call_indirect %g(%c) : (i32) -> i32\n  return %r : i32\n}\n"),
              StartsWith("f.mlir:3:8: error: calls 'abs', which has no body"));
  EXPECT_THAT(outcomeOf("memref.global \"private\" @environ : memref<4xi32>\n"
                        "func.func @f() {\n  %e = memref.get_global @environ : memref<4xi32>\n"
                        "  return\n}\n"),
              StartsWith("f.mlir:3:8: error: takes the global 'environ', which has no contents"));
  // What lowering asks for is looked at as well.
  auto context = makeProgramContext();
  auto lowered = llvm::cantFail(parseProgram(*context,
                                             "llvm.func @puts(!llvm.ptr) -> i32\nllvm.func @f() {\n"
                                             "  llvm.return\n}\n",
                                             "f.mlir"));
  EXPECT_EQ(toText(checkLinkage(*lowered)),
            "f.mlir: error: the program needs 'puts' from outside, expected functions of its own "
            "and mathematical ones");
  // Own definitions stay own ones, whatever their linkage says.
  for (const char *linkage : {"available_externally", "weak", "extern_weak", "external"})
    EXPECT_EQ(outcomeOf(fmt::format("func.func @abs(%x: i32) -> i32 attributes {{llvm.linkage = "
                                    "#llvm.linkage<{}>}} {{\n  %c = arith.constant 7 : i32\n"
                                    "  return %c : i32\n}}\n",
                                    linkage) +
                        call),
              "7");
}

TEST(UntrustedProgram, HoldsNoCodeOfItsOwn) {
  EXPECT_THAT(outcomeOf("func.func @f() {\n  llvm.inline_asm has_side_effects \"hlt\", \"\" : () "
                        "-> ()\n  return\n}\n"),
              StartsWith("f.mlir:2:3: error: operation llvm.inline_asm is not run for golden "
                         "values, expected affine, "));
  EXPECT_THAT(outcomeOf("func.func @f() {\n  \"other.thing\"() : () -> ()\n  return\n}\n"),
              StartsWith("f.mlir:2:3: error: operation other.thing is not run"));
  // Code that runs before the program does.
  EXPECT_EQ(outcomeOf("llvm.func @early() {\n  llvm.inline_asm has_side_effects \"ud2\", \"\" : () "
                      "-> ()\n  llvm.return\n}\nllvm.mlir.global_ctors ctors = [@early], "
                      "priorities = [0 : i32], data = [#llvm.zero]\n"
                      "func.func @f() {\n  return\n}\n"),
            "done");
}

TEST(UntrustedProgram, StaysInItsArrays) {
  auto at = [](const std::string &access, int64_t index) {
    return outcomeOf(
        "memref.global \"private\" @table : memref<3xi32> = dense<1>\n"
        "func.func @f(%x: memref<2x4xi32>, %i: index, %d: memref<?xi32>) {\n"
        "  %c1 = arith.constant 1 : index\n  %v = arith.constant 1 : i32\n"
        "  %t = memref.get_global @table : memref<3xi32>\n"
        "  %l = memref.alloc() : memref<5xi32>\n  " +
            access + "\n  memref.store %r, %x[%c1, %c1] : memref<2x4xi32>\n  return\n}\n",
        {makeArray(int32, {2, 4}), makeIntegers(indexNumber, {}, {index}), makeArray(int32, {6})});
  };
  struct Case {
    const char *access, *what;
    int64_t dimension, extent;
  };
  for (const Case &each :
       {Case{"%r = memref.load %x[%c1, %i] : memref<2x4xi32>", "reads arg0", 1, 4},
        {"%r = memref.load %d[%i] : memref<?xi32>", "reads arg2", 0, 6},
        {"%r = memref.load %t[%i] : memref<3xi32>", "reads @table", 0, 3},
        {"%r = memref.load %l[%i] : memref<5xi32>", "reads a local array", 0, 5},
        {"memref.store %v, %x[%i, %c1] : memref<2x4xi32> %r = arith.addi %v, %v : i32",
         "writes arg0", 0, 2},
        {"memref.store %v, %d[%i] : memref<?xi32> %r = arith.addi %v, %v : i32", "writes arg2", 0,
         6}}) {
    SCOPED_TRACE(each.access);
    EXPECT_EQ(at(each.access, 0), "done");
    EXPECT_EQ(at(each.access, each.extent - 1), "done");
    for (int64_t index : {each.extent, int64_t(-1), INT64_MAX, INT64_MIN})
      EXPECT_EQ(at(each.access, index),
                fmt::format("f.mlir:7:{}: error: {} at index {} of dimension {}, expected 0 to {}: "
                            "give other inputs, or correct the program",
                            each.access[0] == '%' ? 8 : 3, each.what, index, each.dimension,
                            each.extent - 1));
  }
}

TEST(UntrustedProgram, StatedIndicesStayInTheirArrays) {
  auto outside = [](int64_t index) {
    return fmt::format("error: reads arg0 at index {} of dimension 1, expected 0 to 3: give other "
                       "inputs, or correct the program",
                       index);
  };
  auto at = [](int64_t index) {
    return outcomeOf(fmt::format("func.func @f(%x: memref<2x4xi32>) -> i32 {{\n"
                                 "  %c0 = arith.constant 0 : index\n"
                                 "  %i = arith.constant {} : index\n"
                                 "  %r = memref.load %x[%c0, %i] : memref<2x4xi32>\n"
                                 "  return %r : i32\n}}\n",
                                 index),
                     {makeArray(int32, {2, 4})});
  };
  EXPECT_EQ(at(0), "0");
  EXPECT_EQ(at(3), "0");
  for (int64_t index : {int64_t(-1), int64_t(4), int64_t(5), INT64_MAX, INT64_MIN})
    EXPECT_THAT(at(index), HasSubstr(outside(index)));

  auto along = [](int64_t first, int64_t end, int64_t step) {
    return outcomeOf(fmt::format("func.func @f(%x: memref<2x4xi32>) {{\n"
                                 "  %first = arith.constant {} : index\n"
                                 "  %end = arith.constant {} : index\n"
                                 "  %step = arith.constant {} : index\n"
                                 "  %c1 = arith.constant 1 : index\n"
                                 "  scf.for %i = %first to %end step %step {{\n"
                                 "    %r = memref.load %x[%c1, %i] : memref<2x4xi32>\n"
                                 "    memref.store %r, %x[%c1, %c1] : memref<2x4xi32>\n"
                                 "  }}\n  return\n}}\n",
                                 first, end, step),
                     {makeArray(int32, {2, 4})});
  };
  EXPECT_EQ(along(0, 4, 1), "done");
  EXPECT_EQ(along(3, 4, 1), "done");
  EXPECT_EQ(along(0, 6, 3), "done"); // 0 and 3
  EXPECT_EQ(along(7, 5, 1), "done"); // none
  EXPECT_EQ(along(-5, -9, 1), "done");
  EXPECT_THAT(along(0, 5, 1), HasSubstr(outside(4)));
  EXPECT_THAT(along(-1, 4, 1), HasSubstr(outside(-1)));
  EXPECT_THAT(along(0, 5, 4), HasSubstr(outside(4)));
  EXPECT_THAT(along(4, 5, 1), HasSubstr(outside(4)));
}

TEST(UntrustedProgram, EmptyArraysHaveNoIndex) {
  EXPECT_EQ(outcomeOf("func.func @f(%n: index) -> i32 {\n"
                      "  %l = memref.alloc(%n) : memref<?xi32>\n"
                      "  %r = memref.load %l[%n] : memref<?xi32>\n  return %r : i32\n}\n",
                      {makeIntegers(indexNumber, {}, {0})}),
            "f.mlir:3:8: error: reads a local array at index 0 of dimension 0, expected none, as "
            "it is empty: give other inputs, or correct the program");
}

TEST(UntrustedProgram, CrashesAndEndlessLoopsAreErrors) {
  EXPECT_THAT(
      outcomeOf(
          "func.func @f(%x: memref<2xi32>) {\n  %c = arith.constant 1 : index\n"
          "  %v = arith.constant 1 : i32\n"
          "  %far = memref.reinterpret_cast %x to offset: [9000000000000], sizes: [2], "
          "strides: [1] : memref<2xi32> to memref<2xi32, strided<[1], offset: 9000000000000>>\n"
          "  memref.store %v, %far[%c] : memref<2xi32, strided<[1], offset: "
          "9000000000000>>\n  return\n}\n",
          {makeArray(int32, {2})}),
      StartsWith("f.mlir: @f: error: the program ends "));
  EXPECT_EQ(outcomeOf("func.func @f(%x: memref<1xi32>) {\n  %true = arith.constant true\n"
                      "  %c = arith.constant 0 : index\n  %one = arith.constant 1 : i32\n"
                      "  scf.while : () -> () {\n    scf.condition(%true)\n  } do {\n"
                      "    %v = memref.load %x[%c] : memref<1xi32>\n"
                      "    %w = arith.addi %v, %one : i32\n"
                      "    memref.store %w, %x[%c] : memref<1xi32>\n    scf.yield\n  }\n"
                      "  return\n}\n",
                      {makeArray(int32, {1})}, 0.1),
            "f.mlir: @f: error: the program is not done after 0.1 s; correct it, or give "
            "it other inputs");
}

/// `synth` and `cosim` read the same files.
TEST(UntrustedProgram, MayHaveWhatFrontEndsLeave) {
  EXPECT_EQ(outcomeOf(R"(
    module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>,
                       llvm.data_layout = "e-m:e", "polygeist.target-cpu" = "x86-64",
                       torch.debug_module_name = "M"} {
      ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
      func.func private @printf(!llvm.ptr) -> i32
      func.func @f(%n: index {llvm.noundef, torch.type_bound = "x"}) -> i32
          attributes {llvm.linkage = #llvm.linkage<external>} {
        %r = arith.index_cast %n : index to i32
        return %r : i32
      }
    })",
                      {makeIntegers(indexNumber, {}, {12})}),
            "12");
}

TEST(UntrustedProgram, CannotStopTheParser) {
  auto errorOf = [](const std::string &order) {
    return outcomeOf("func.func @f(%x: memref<4x3xi32>, %y: memref<3x4xi32>) {\n"
                     "  linalg.transpose ins(%x : memref<4x3xi32>) outs(%y : memref<3x4xi32>) "
                     "permutation = " +
                     order + "\n  return\n}\n");
  };
  EXPECT_THAT(errorOf("[1 0]"), StartsWith("f.mlir:2:89: error: expected ']'"));
  EXPECT_THAT(errorOf("1"), StartsWith("f.mlir:2:86: error: expected '['"));
  for (const char *order : {"", "[", "[1", "[x]", "[1, 0", "[1.5, 0]", "[1,, 0]", "\"\""})
    EXPECT_THAT(errorOf(order), AllOf(StartsWith("f.mlir:"), HasSubstr(": error: "))) << order;
  // Deeper than the stack of a parser that calls itself.
  EXPECT_THAT(outcomeOf("func.func @f(%x: " + std::string(300'000, '(')),
              AllOf(StartsWith("f.mlir"), HasSubstr(": error: ")));
}

// MLIR's verifier computes with them as if they had a meaning.
TEST(UntrustedProgram, DivisorsOfMapsAreChecked) {
  auto errorOf = [](const std::string &subscript) {
    return outcomeOf(fmt::format(
        "func.func @f(%x: memref<4xi32>, %y: memref<4xi32>) {{\n"
        "  linalg.generic {{indexing_maps = [affine_map<(d0) -> ({})>, affine_map<(d0) -> (d0)>], "
        "iterator_types = [\"parallel\"]}} ins(%x : memref<4xi32>) outs(%y : memref<4xi32>) {{\n"
        "  ^bb0(%in: i32, %out: i32):\n    linalg.yield %in : i32\n  }}\n  return\n}}\n",
        subscript));
  };
  for (const char *operation : {"mod", "floordiv", "ceildiv"})
    for (const char *divisor : {"0", "-1", "-9223372036854775807"})
      for (const char *form : {"d0 {} {}", "(d0 {} {}) + 1"}) {
        std::string text = fmt::format(fmt::runtime(form), operation, divisor);
        EXPECT_EQ(errorOf(text),
                  fmt::format("f.mlir:2:3: error: 'd0 {} {}' divides by {}, expected a positive "
                              "divisor: correct it",
                              operation, divisor, divisor))
            << text;
      }
}

} // namespace
