// Ranges of values against what the operations make of numbers.
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace spindle::hls;
using namespace mlir;

namespace {

struct ValueRangesTest : testing::Test {
  ValueRangesTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect>();
  }

  IntegerRange last(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    Value found;
    module->walk([&](func::ReturnOp end) { found = end.getOperand(0); });
    return integerRangeOf(found);
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::mt19937 random{5};
  unsigned draw(unsigned count) {
    return std::uniform_int_distribution<unsigned>(0, count - 1)(random);
  }
};

TEST_F(ValueRangesTest, FollowLoopsMapsAndCasts) {
  EXPECT_EQ(last(R"(func.func @f(%d: i8) -> i32 {
      %a = arith.extui %d : i8 to i32
      %m = arith.constant 15 : i32
      %b = arith.andi %a, %m : i32
      %c = arith.muli %b, %b : i32
      return %c : i32 })"),
            (IntegerRange{0, 225}));
  EXPECT_EQ(last(R"(func.func @f(%d: i8, %e: i8) -> i32 {
      %a = arith.extsi %d : i8 to i32
      %b = arith.extsi %e : i8 to i32
      %c = arith.muli %a, %b : i32
      return %c : i32 })"),
            (IntegerRange{-128 * 127, 128 * 128}));
  EXPECT_EQ(last(R"(func.func @f(%n: index) -> index {
      %a = affine.apply affine_map<(d0) -> (d0 mod 8 - 3)>(%n)
      %b = affine.max affine_map<(d0) -> (d0, 0)>(%a)
      return %b : index })"),
            (IntegerRange{0, 4}));
  // What may wrap around has every number of its type.
  EXPECT_EQ(last(R"(func.func @f(%d: i8) -> i8 {
      %a = arith.addi %d, %d : i8
      return %a : i8 })"),
            (IntegerRange{-128, 127}));
  EXPECT_EQ(last(R"(func.func @f(%n: index, %m: index) -> index {
      %a = arith.addi %n, %m : index
      return %a : index })"),
            IntegerRange());
}

TEST_F(ValueRangesTest, VariablesOfLoopsLieBetweenTheirBounds) {
  module = parseSourceString<ModuleOp>(R"(func.func @f(%n: index) {
    affine.for %i = 2 to 9 {
      affine.for %j = affine_map<(d0) -> (d0 - 2)>(%i) to affine_map<(d0) -> (d0 + 1)>(%i) {
        affine.for %k = 0 to min affine_map<(d0)[s0] -> (d0, s0)>(%j)[%n] {
          affine.for %l = 0 to %n { }
        }
      }
    }
    return })",
                                       &context);
  std::vector<IntegerRange> found;
  module->walk<WalkOrder::PreOrder>(
      [&](affine::AffineForOp loop) { found.push_back(integerRangeOf(loop.getInductionVar())); });
  EXPECT_EQ(found, (std::vector<IntegerRange>{{2, 8}, {0, 8}, {0, 7}, {0, INT64_MAX}}));
}

/// Random operations on random numbers, computed by folding: every result lies in its range.
TEST_F(ValueRangesTest, HoldWhatRandomOperationsCompute) {
  static const std::vector<std::string> binary = {
      "addi",  "subi",  "muli",  "andi",  "ori",   "xori", "minsi", "maxsi", "minui",
      "maxui", "divsi", "divui", "remsi", "remui", "shli", "shrsi", "shrui"};
  unsigned checked = 0;
  for (int round = 0; round < 400; ++round) {
    unsigned from = 1 + draw(10), to = from + 1 + draw(8);
    std::string narrow = "i" + std::to_string(from), wide = "i" + std::to_string(to);
    std::string text = "func.func @f(%a: " + narrow + ", %b: " + narrow + ") {\n";
    text +=
        "%v0 = arith.ext" + std::string(draw(2) ? "s" : "u") + "i %a : " + narrow + " to " + wide;
    text +=
        "\n%v1 = arith.ext" + std::string(draw(2) ? "s" : "u") + "i %b : " + narrow + " to " + wide;
    for (int op = 2; op < 8; ++op)
      text += "\n%v" + std::to_string(op) + " = arith." + binary[draw(binary.size())] + " %v" +
              std::to_string(draw(op)) + ", %v" + std::to_string(draw(op)) + " : " + wide;
    text += "\n%t = arith.trunci %v7 : " + wide + " to " + narrow + "\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    auto function = *module->getOps<func::FuncOp>().begin();
    ValueRanges ranges;
    std::vector<IntegerRange> given;
    for (Value argument : function.getArguments()) {
      int64_t all = int64_t(1) << from, low = -all / 2;
      int64_t x = low + draw(all), y = low + draw(all);
      given.push_back({std::min(x, y), std::max(x, y)});
      ranges.set(argument, given.back());
    }
    for (int sample = 0; sample < 20; ++sample) {
      DenseMap<Value, Attribute> values;
      for (auto [argument, range] : llvm::zip(function.getArguments(), given))
        values[argument] = IntegerAttr::get(
            argument.getType(),
            APInt(from, uint64_t(range.least + draw(range.most - range.least + 1)), true, true));
      for (Operation &op : function.front().without_terminator()) {
        SmallVector<Attribute> operands;
        for (Value operand : op.getOperands())
          operands.push_back(values.lookup(operand));
        SmallVector<OpFoldResult> results;
        // Without a result: a division by zero, a shift too far.
        if (llvm::is_contained(operands, Attribute()) || failed(op.fold(operands, results)))
          continue;
        Attribute result = results.empty() ? Attribute() : dyn_cast<Attribute>(results[0]);
        if (!result && !results.empty())
          result = values.lookup(cast<Value>(results[0]));
        auto number = dyn_cast_or_null<IntegerAttr>(result);
        if (!number)
          continue;
        values[op.getResult(0)] = number;
        APInt value = number.getValue();
        ConstantIntRanges range = ranges.bitsOf(op.getResult(0));
        EXPECT_TRUE(range.smin().sle(value) && value.sle(range.smax())) << text;
        EXPECT_TRUE(range.umin().ule(value) && value.ule(range.umax())) << text;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 20000u);
}

} // namespace
