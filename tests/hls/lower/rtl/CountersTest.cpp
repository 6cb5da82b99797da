// Counters and index arithmetic as circuits, simulated, against MLIR's own evaluation.
#include "hw/hls/lower/rtl/Counters.h"
#include "tests/hls/lower/RandomNestBounds.h"

#include "dialects/rtl/simulation/Simulation.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;
using llvm::APInt;

namespace {

/// A module with a clock and inputs of given widths, filled by the test, then simulated.
class Circuit {
public:
  explicit Circuit(mlir::MLIRContext &context)
      : builder(&context), location(builder.getUnknownLoc()),
        design(mlir::ModuleOp::create(location)) {}

  /// `build` returns the outputs y0, y1, …
  void make(std::vector<rtl::Port> inputs, const std::vector<unsigned> &outputBits,
            llvm::function_ref<std::vector<mlir::Value>(Wires &, rtl::CircuitModuleOp)> build) {
    llvm::SmallVector<rtl::Port> in{{"clk", bit()}, {"rst", bit()}}, out;
    in.append(inputs.begin(), inputs.end());
    for (unsigned bits : outputBits)
      out.push_back({fmt::format("y{}", out.size()), builder.getIntegerType(bits)});
    mlir::OpBuilder top = mlir::OpBuilder::atBlockEnd(design->getBody());
    auto module = rtl::CircuitModuleOp::create(top, location, "circuit", in, out);
    Wires wires(location, module.getBodyBlock(), module.getInput("clk"), module.getInput("rst"));
    std::vector<mlir::Value> driven = build(wires, module);
    rtl::OutputOp::create(wires.builder, driven);
    simulation = llvm::cantFail(rtl::Simulation::create(*design, "circuit"));
    simulation->set("rst", APInt(1, 0));
  }
  mlir::Type bit() { return builder.getI1Type(); }
  mlir::Type word(unsigned bits) { return builder.getIntegerType(bits); }
  int64_t get(unsigned output, IntegerRange range) {
    APInt value = simulation->get(fmt::format("y{}", output));
    return range.least < 0 ? value.getSExtValue() : static_cast<int64_t>(value.getZExtValue());
  }

  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::OwningOpRef<mlir::ModuleOp> design;
  std::unique_ptr<rtl::Simulation> simulation;
};

mlir::AffineExpr randomExpression(mlir::MLIRContext &context, std::mt19937 &random,
                                  unsigned depth) {
  auto number = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  if (depth == 0)
    return mlir::getAffineDimExpr(static_cast<unsigned>(number(0, 2)), &context);
  mlir::AffineExpr a = randomExpression(context, random, depth - 1);
  switch (number(0, 5)) {
  case 0:
    return a + randomExpression(context, random, depth - 1);
  case 1:
    return a * number(-13, 13);
  case 2:
    if (number(0, 3) == 0)
      return a.floorDiv(int64_t(1) << number(1, 45));
    return a.floorDiv(number(1, number(0, 3) ? 25 : 3'000'000'000));
  case 3:
    return a.ceilDiv(number(1, 25));
  case 4:
    return a % number(1, number(0, 3) ? 25 : 100'000);
  default:
    return a + number(-40, 40);
  }
}

/// Few numbers around 0, all of 32 bits, or some of these.
IntegerRange randomRange(std::mt19937 &random, int round) {
  auto number = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  if (round % 4 == 3)
    return {INT32_MIN, INT32_MAX};
  if (round % 4 == 2) {
    int64_t least = number(INT32_MIN, INT32_MAX);
    return {least, number(least, INT32_MAX)};
  }
  int64_t least = round % 3 ? number(-50, 50) : 0;
  return {least, least + number(0, 90)};
}

TEST(IndexArithmetic, EvaluatesRandomExpressions) {
  mlir::MLIRContext context;
  context.loadDialect<rtl::RtlDialect, mlir::arith::ArithDialect>();
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    llvm::SmallVector<IntegerRange> ranges;
    for (int dimension = 0; dimension < 3; ++dimension)
      ranges.push_back(randomRange(random, round));
    mlir::AffineExpr expression = randomExpression(context, random, 1 + round % 3);
    IntegerRange range = rangeOf(expression, ranges);
    unsigned bits = bitsFor(range);
    Circuit circuit(context);
    std::vector<rtl::Port> inputs;
    for (const IntegerRange &one : ranges)
      inputs.push_back({fmt::format("d{}", inputs.size()), circuit.word(bitsFor(one))});
    circuit.make(inputs, {bits}, [&](Wires &wires, rtl::CircuitModuleOp module) {
      llvm::SmallVector<Index> dimensions;
      for (const IntegerRange &one : ranges)
        dimensions.push_back({module.getInput(fmt::format("d{}", dimensions.size())), one});
      IndexArithmetic arithmetic(wires);
      Index made = arithmetic.evaluate(expression, dimensions);
      return std::vector<mlir::Value>{arithmetic.resized(made, bits)};
    });
    for (int sample = 0; sample < 60; ++sample) {
      llvm::SmallVector<int64_t> values;
      for (auto [position, one] : llvm::enumerate(ranges)) {
        int64_t value = sample == 0 ? one.least
                        : sample == 1
                            ? one.most
                            : std::uniform_int_distribution<int64_t>(one.least, one.most)(random);
        values.push_back(value);
        circuit.simulation->set(
            fmt::format("d{}", position),
            APInt(bitsFor(one), static_cast<uint64_t>(value), /*isSigned=*/true, true));
      }
      std::string text;
      llvm::raw_string_ostream(text) << expression;
      ASSERT_EQ(circuit.get(0, range), valueByMlir(expression, values))
          << text << " of " << values[0] << ", " << values[1] << ", " << values[2];
    }
  }
}

TEST(Counters, StepThroughRandomNests) {
  mlir::MLIRContext context;
  context.loadDialect<rtl::RtlDialect, mlir::arith::ArithDialect>();
  std::mt19937 random(12);
  for (int round = 0; round < 150; ++round) {
    RandomNestBounds nest = randomNestBounds(context, random);
    // The circuit is made for a range of operands and run on one of their values.
    llvm::SmallVector<IntegerRange> known{{-4, 6}, {-1, 5}};
    llvm::SmallVector<IntegerRange> ranges = counterRanges(nest.bounds, known);
    std::vector<unsigned> bits = {1};
    for (const IntegerRange &range : ranges)
      bits.push_back(bitsFor(range));
    Circuit circuit(context);
    circuit.make({{"start", circuit.bit()},
                  {"advance", circuit.bit()},
                  {"a", circuit.word(bitsFor(known[0]))},
                  {"b", circuit.word(bitsFor(known[1]))}},
                 bits, [&](Wires &wires, rtl::CircuitModuleOp module) {
                   Counters counters = buildCounters(
                       wires, nest.bounds,
                       {{module.getInput("a"), known[0]}, {module.getInput("b"), known[1]}},
                       module.getInput("start"), module.getInput("advance"));
                   std::vector<mlir::Value> driven = {counters.isLast};
                   for (const Index &value : counters.values)
                     driven.push_back(value.bits);
                   return driven;
                 });
    rtl::Simulation &simulation = *circuit.simulation;
    for (auto [name, position] : {std::pair("a", 0u), std::pair("b", 1u)})
      simulation.set(name, APInt(bitsFor(known[position]),
                                 static_cast<uint64_t>(nest.operands[position]), true, true));
    std::vector<std::vector<int64_t>> iterations = iterationsByHand(nest);
    for (int run = 0; run < 2; ++run) {
      simulation.set("start", APInt(1, 1));
      simulation.set("advance", APInt(1, 0));
      simulation.step();
      simulation.set("start", APInt(1, 0));
      for (const std::vector<int64_t> &expected : iterations) {
        for (int waits = static_cast<int>(random() % 2); waits >= 0; --waits) {
          std::vector<int64_t> found;
          for (size_t level = 0; level < ranges.size(); ++level)
            found.push_back(circuit.get(static_cast<unsigned>(level) + 1, ranges[level]));
          ASSERT_EQ(found, expected) << "round " << round;
          ASSERT_EQ(circuit.get(0, {0, 1}), &expected == &iterations.back());
          simulation.set("advance", APInt(1, waits == 0));
          simulation.step();
        }
      }
    }
  }
}

} // namespace
