// Ranges of values against what the operations make of numbers.
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace spindle::hls;
using namespace mlir;

namespace {

struct ValueRangesTest : testing::Test {
  ValueRangesTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
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

/// A sum of ten bytes, one that also falls, one that is masked, one of which nothing is known.
TEST_F(ValueRangesTest, CarriedValuesAreSumsOrStayWhereTheyAre) {
  auto carried = [&](const std::string &next, const std::string &trips = "10") {
    return last(R"(func.func @f(%d: memref<100xi8>, %n: index, %m: index) -> i32 {
      %zero = arith.constant 0 : i32
      %mask = arith.constant 63 : i32
      %r = affine.for %i = 0 to )" +
                trips + R"( iter_args(%c = %zero) -> (i32) {
        %a = affine.load %d[%i] : memref<100xi8>
        %b = arith.extui %a : i8 to i32
        )" + next +
                R"(
        affine.yield %x : i32
      }
      return %r : i32 })");
  };
  EXPECT_EQ(carried("%x = arith.addi %c, %b : i32"), (IntegerRange{0, 2550}));
  EXPECT_EQ(carried("%x = arith.subi %c, %b : i32"), (IntegerRange{-2550, 0}));
  EXPECT_EQ(carried("%x = arith.addi %b, %c : i32", "min affine_map<(a)[b] -> (a, b, 7)>(%n)[%m]"),
            (IntegerRange{0, 7 * 255}));
  EXPECT_EQ(carried("%q = arith.cmpi slt, %c, %b : i32 %y = arith.addi %c, %b : i32 "
                    "%x = arith.select %q, %y, %c : i32"),
            (IntegerRange{0, 2550}));
  EXPECT_EQ(carried("%y = arith.addi %c, %b : i32 %x = arith.andi %y, %mask : i32"),
            (IntegerRange{0, 63}));
  EXPECT_EQ(carried("%x = arith.maxsi %c, %b : i32"), (IntegerRange{0, 255}));
  EXPECT_EQ(carried("%x = arith.addi %c, %b : i32", "%n"), (IntegerRange{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(carried("%x = arith.subi %b, %c : i32"), (IntegerRange{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(carried("%x = affine.for %j = 0 to 4 iter_args(%e = %c) -> (i32) { "
                    "%y = arith.addi %e, %b : i32 affine.yield %y : i32 }"),
            (IntegerRange{0, 4 * 2550}));
}

TEST_F(ValueRangesTest, ConditionsYieldWhatTheirBranchesDo) {
  EXPECT_EQ(last(R"(func.func @f(%c: i1, %d: i8) -> i32 {
      %a = arith.extsi %d : i8 to i32
      %n = arith.constant 300 : i32
      %r = scf.if %c -> (i32) { scf.yield %a : i32 } else { scf.yield %n : i32 }
      return %r : i32 })"),
            (IntegerRange{-128, 300}));
}

/// Quotients by zero are all ones, remainders the dividend; shifts too far leave nothing.
TEST_F(ValueRangesTest, WhatMlirLeavesOpenMayBeAnyNumber) {
  auto of = [&](const std::string &operation) {
    return last("func.func @f(%c: i8, %d: i8) -> i32 {\n%a = arith.extui %c : i8 to i32\n"
                "%b = arith.extui %d : i8 to i32\n%r = arith." +
                operation + " %a, %b : i32\nreturn %r : i32 }");
  };
  for (const char *operation : {"divui", "divsi", "remui", "remsi", "shli", "shrui"})
    EXPECT_EQ(of(operation), (IntegerRange{INT32_MIN, INT32_MAX})) << operation;
}

/// Loops that carry values, run by folding: every value lies in the range of what carries it.
TEST_F(ValueRangesTest, HoldWhatRandomLoopsCarry) {
  static const std::vector<std::string> binary = {"addi",  "addi",  "subi",  "muli", "andi",
                                                  "minsi", "maxsi", "maxui", "xori", "ori"};
  unsigned known = 0;
  for (int round = 0; round < 300; ++round) {
    unsigned bits = 5 + draw(12), count = 1 + draw(3), trips = draw(7);
    std::string type = "i" + std::to_string(bits), types, starts, body, text;
    std::vector<std::string> values = {"%small", "%k"};
    for (unsigned n = 0; n < count; ++n) {
      std::string name = "%c" + std::to_string(n);
      text += "%s" + std::to_string(n) + " = arith.constant " + std::to_string(int(draw(9)) - 4) +
              " : " + type + "\n";
      starts += (n ? ", " : "") + name + " = %s" + std::to_string(n);
      types += (n ? ", " : "") + type;
      values.push_back(name);
    }
    for (unsigned n = 0; n < 5; ++n) {
      std::string name = "%v" + std::to_string(n);
      body += name + " = arith." + binary[draw(binary.size())] + " " + values[draw(values.size())] +
              ", " + values[draw(values.size())] + " : " + type + "\n";
      values.push_back(name);
    }
    std::string yields;
    for (unsigned n = 0; n < count; ++n)
      yields += (n ? ", " : "") + values[2 + draw(values.size() - 2)];
    text = "func.func @f(%d: i3) {\n%small = arith.extsi %d : i3 to " + type +
           "\n%k = arith.constant 3 : " + type + "\n" + text + "%r:" + std::to_string(count) +
           " = affine.for %i = 0 to " + std::to_string(trips) + " iter_args(" + starts + ") -> (" +
           types + ") {\n" + body + "affine.yield " + yields + " : " + types + "\n}\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    affine::AffineForOp loop;
    module->walk([&](affine::AffineForOp found) { loop = found; });
    auto function = *module->getOps<func::FuncOp>().begin();
    ValueRanges ranges;
    for (Value result : loop.getResults())
      known += ranges.of(result).least > -(int64_t(1) << (bits - 1));
    for (int sample = 0; sample < 5; ++sample) {
      DenseMap<Value, Attribute> numbers;
      auto expectInside = [&](Value value) {
        APInt number = cast<IntegerAttr>(numbers.lookup(value)).getValue();
        ConstantIntRanges range = ranges.bitsOf(value);
        EXPECT_TRUE(range.smin().sle(number) && number.sle(range.smax())) << text;
        EXPECT_TRUE(range.umin().ule(number) && number.ule(range.umax())) << text;
      };
      auto compute = [&](Operation &op) {
        SmallVector<Attribute> operands;
        for (Value operand : op.getOperands())
          operands.push_back(numbers.lookup(operand));
        SmallVector<OpFoldResult> results;
        while (results.empty()) // first it may only change places
          ASSERT_TRUE(succeeded(op.fold(operands, results))) << text;
        auto same = dyn_cast<Value>(results[0]);
        numbers[op.getResult(0)] = same ? numbers.lookup(same) : cast<Attribute>(results[0]);
        expectInside(op.getResult(0));
      };
      numbers[function.getArgument(0)] =
          IntegerAttr::get(function.getArgument(0).getType(), int64_t(draw(8)) - 4);
      for (Operation &op : function.front().without_terminator())
        if (&op != loop.getOperation())
          compute(op);
      for (auto [argument, start] : llvm::zip(loop.getRegionIterArgs(), loop.getInits()))
        numbers[argument] = numbers.lookup(start);
      for (unsigned trip = 0; trip < trips; ++trip) {
        for (Value argument : loop.getRegionIterArgs())
          expectInside(argument);
        for (Operation &op : loop.getBody()->without_terminator())
          compute(op);
        SmallVector<Attribute> next;
        for (Value value : loop.getBody()->getTerminator()->getOperands())
          next.push_back(numbers.lookup(value));
        for (auto [argument, number] : llvm::zip(loop.getRegionIterArgs(), next))
          numbers[argument] = number;
      }
      for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs())) {
        numbers[result] = numbers.lookup(argument);
        expectInside(result);
      }
    }
  }
  EXPECT_GT(known, 100u); // of about six hundred
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
