// Programs whose values depend on what local arrays hold before they are written, and others.
#include "hw/program/FillLocals.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

const ElementType integer32 = *parseElementType("i32");

bool depends(const std::string &text) {
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
  std::vector<std::vector<KernelArray>> inputs;
  std::vector<Values> expected;
  Golden golden = llvm::cantFail(Golden::compile(*module, "f"));
  for (int64_t scale : {1, -3}) {
    std::vector<int64_t> numbers;
    for (int64_t n = 1; n <= 8; ++n)
      numbers.push_back(scale * n);
    inputs.push_back({makeIntegers(integer32, {8}, numbers)});
    expected.push_back(llvm::cantFail(golden.run(inputs.back())));
  }
  return llvm::cantFail(dependsOnLocals(*module, "f", inputs, expected));
}

/// Copies the first `written` elements to a local array, and all or fewer of them back.
std::string copies(const std::string &makes, const std::string &type, int written, int read) {
  return fmt::format(R"(func.func @f(%a: memref<8xi32>) {{
  %t = memref.{} : memref<8x{}>
  affine.for %i = 0 to {} {{
    %v = affine.load %a[%i] : memref<8xi32>
    %w = {} %v : i32 to {}
    affine.store %w, %t[%i] : memref<8x{}>
  }}
  affine.for %i = 0 to {} {{
    %v = affine.load %t[%i] : memref<8x{}>
    %w = {} %v : {} to i32
    affine.store %w, %a[%i] : memref<8xi32>
  }}
  return
}})",
                     makes, type, written,
                     type == "index" ? "arith.index_cast"
                     : type == "f32" ? "arith.sitofp"
                                     : "arith.extsi",
                     type, type, read, type,
                     type == "index" ? "arith.index_cast"
                     : type == "f32" ? "arith.fptosi"
                                     : "arith.trunci",
                     type);
}

TEST(FillLocals, FindsWhatIsReadBeforeItIsWritten) {
  for (const char *makes : {"alloc()", "alloca()"})
    for (const char *type : {"i64", "f32", "index"}) {
      EXPECT_FALSE(depends(copies(makes, type, 8, 8))) << makes << type;
      EXPECT_FALSE(depends(copies(makes, type, 4, 4))) << makes << type;
      EXPECT_TRUE(depends(copies(makes, type, 7, 8))) << makes << type;
      EXPECT_TRUE(depends(copies(makes, type, 0, 1))) << makes << type;
    }
}

TEST(FillLocals, FindsTensorsThatNobodyFills) {
  auto sums = [](const std::string &begin) {
    return R"(func.func @f(%a: tensor<8xi32>) -> tensor<i32> {
  %e = tensor.empty() : tensor<i32>
  %z = arith.constant 0 : i32
  )" + begin +
           R"(
  %r = linalg.reduce ins(%a : tensor<8xi32>) outs(%i : tensor<i32>) dimensions = [0]
    (%x: i32, %y: i32) { %s = arith.addi %x, %y : i32  linalg.yield %s : i32 }
  return %r : tensor<i32>
})";
  };
  auto run = [](const std::string &text) {
    auto context = makeProgramContext();
    auto module = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
    Golden golden = llvm::cantFail(Golden::compile(*module, "f"));
    std::vector<KernelArray> input = {makeIntegers(integer32, {8}, {1, 2, 3, 4, 5, 6, 7, 8}),
                                      makeArray(integer32, {})};
    Values values = llvm::cantFail(golden.run(input));
    return llvm::cantFail(dependsOnLocals(*module, "f", {input}, {values}));
  };
  EXPECT_FALSE(run(sums("%i = linalg.fill ins(%z : i32) outs(%e : tensor<i32>) -> tensor<i32>")));
  EXPECT_TRUE(run(sums("%i = tensor.cast %e : tensor<i32> to tensor<i32>")));
}

TEST(FillLocals, ArraysOfFunctionsAndLoops) {
  auto calls = [](const std::string &stores) {
    return R"(func.func private @g(%x: i32, %c: i1) -> i32 {
  %t = memref.alloca() : memref<i32>
  scf.if %c {
    memref.store %x, %t[] : memref<i32>
  }
  )" + stores +
           R"(
  %v = memref.load %t[] : memref<i32>
  return %v : i32
}
func.func @f(%a: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xi32>
    %limit = arith.constant 5 : i32
    %c = arith.cmpi slt, %v, %limit : i32
    %w = func.call @g(%v, %c) : (i32, i1) -> i32
    affine.store %w, %a[%i] : memref<8xi32>
  }
  return
})";
  };
  EXPECT_TRUE(depends(calls("")));
  EXPECT_FALSE(depends(calls("memref.store %x, %t[] : memref<i32>")));
}

/// What is in there is an index, and with anything but zeros one outside of the array.
TEST(FillLocals, SubscriptsThatNobodyWrote) {
  EXPECT_TRUE(depends(R"(func.func @f(%a: memref<8xi32>) {
  %t = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i] : memref<4xi32>
    %k = arith.index_cast %v : i32 to index
    %w = memref.load %a[%k] : memref<8xi32>
    affine.store %w, %a[%i] : memref<8xi32>
  }
  return
})"));
}

} // namespace
