// Scalars of other dialects and values left open, against what they mean.
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"

#include "gtest/gtest.h"

#include <limits>

using namespace spindle;
using namespace spindle::hls;

namespace {

const ElementType indices{ElementType::Kind::Index, 64};

/// What @f gives for two indices.
int64_t resultFor(const std::string &body, int64_t a, int64_t b) {
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(
      *context, "func.func @f(%a: index, %b: index) -> index {\n" + body + "\n}", "f.mlir"));
  Values inputs{{makeIntegers(indices, {}, {a}), makeIntegers(indices, {}, {b})}, {}};
  auto values = runGolden(*module, "f", inputs);
  EXPECT_TRUE(bool(values)) << toText(values.takeError());
  return values ? toIntegers(values->results[0])[0] : 0;
}

int64_t onIndices(const std::string &op, int64_t a, int64_t b) {
  return resultFor("  %r = index." + op + " %a, %b\n  return %r : index", a, b);
}

TEST(SpelledScalars, OperationsOfTheDialectIndex) {
  EXPECT_EQ(onIndices("add", 7, -9), -2);
  EXPECT_EQ(onIndices("sub", 7, -9), 16);
  EXPECT_EQ(onIndices("mul", 7, -9), -63);
  EXPECT_EQ(onIndices("divs", -7, 2), -3);
  EXPECT_EQ(onIndices("divu", -2, 2), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(onIndices("ceildivs", 7, 2), 4);
  EXPECT_EQ(onIndices("ceildivs", -7, 2), -3);
  EXPECT_EQ(onIndices("ceildivu", 7, 2), 4);
  EXPECT_EQ(onIndices("ceildivu", -7, 2), std::numeric_limits<int64_t>::max() - 2);
  EXPECT_EQ(onIndices("floordivs", -7, 2), -4);
  EXPECT_EQ(onIndices("rems", -7, 2), -1);
  EXPECT_EQ(onIndices("remu", -7, 2), 1);
  EXPECT_EQ(onIndices("maxs", -7, 2), 2);
  EXPECT_EQ(onIndices("maxu", -7, 2), -7);
  EXPECT_EQ(onIndices("mins", -7, 2), -7);
  EXPECT_EQ(onIndices("minu", -7, 2), 2);
  EXPECT_EQ(onIndices("shl", -7, 2), -28);
  EXPECT_EQ(onIndices("shrs", -7, 2), -2);
  EXPECT_EQ(onIndices("shru", -7, 62), 3);
  EXPECT_EQ(onIndices("and", 12, 10), 8);
  EXPECT_EQ(onIndices("or", 12, 10), 14);
  EXPECT_EQ(onIndices("xor", 12, 10), 6);
  // As those of arith: defined for all numbers.
  EXPECT_EQ(onIndices("divs", 5, 0), -1);
  EXPECT_EQ(onIndices("remu", 5, 0), 5);
  EXPECT_EQ(onIndices("shl", 5, 64), 0);
}

TEST(SpelledScalars, ComparisonsCastsAndConstantsOfIndices) {
  const std::string choose = "  %c = index.cmp slt(%a, %b)\n  %k = index.constant -5\n"
                             "  %r = arith.select %c, %k, %b : index\n  return %r : index";
  EXPECT_EQ(resultFor(choose, -1, 1), -5);
  EXPECT_EQ(resultFor(choose, 1, -1), -1);
  const std::string cut =
      "  %s = index.casts %a : index to i8\n  %u = index.castu %b : index to i8\n"
      "  %x = index.casts %s : i8 to index\n"
      "  %y = index.castu %u : i8 to index\n"
      "  %r = index.sub %x, %y\n  return %r : index";
  EXPECT_EQ(resultFor(cut, 255, 255), -256);
}

TEST(SpelledScalars, WhatIsLeftOpenIsZero) {
  EXPECT_EQ(resultFor("  %u = llvm.mlir.undef : i64\n  %p = ub.poison : i64\n"
                      "  %v = llvm.mlir.poison : i64\n"
                      "  %s = arith.addi %u, %p : i64\n  %t = arith.addi %s, %v : i64\n"
                      "  %i = arith.index_cast %t : i64 to index\n"
                      "  %r = arith.addi %i, %a : index\n  return %r : index",
                      3, 4),
            3);
}

} // namespace
