// Dependences through carried values against loops that are run; costs against a target by hand.
#include "hw/hls/body/BodyProblem.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

#include <random>
#include <set>

namespace spindle::hls {
namespace {

using namespace mlir;
using ::testing::ElementsAre;

Target targetByHand() {
  Target target;
  target.clockPeriodNs = 10;
  target.logic = {{"addi", {1, 0.1}}, {"multiplexer", {0.5, 0}}, {"shli", {12, 0}}};
  auto unit = [&](const char *operation, const char *type, unsigned latency, unsigned interval) {
    FunctionalUnit made;
    made.name = fmt::format("{}_{}", operation, type);
    made.operations = {operation};
    made.type = type;
    made.latency = latency;
    made.interval = interval;
    made.delayInNs = 3;
    made.delayOutNs = 0.25;
    target.units.push_back(made);
  };
  unit("addf", "f64", 4, 1);
  unit("divf", "f64", 20, 18);
  unit("sitofp", "i32_f64", 2, 1);
  unit("muli", "i32", 3, 1);
  target.units.back().area.dsp = 1;
  target.capacity = DeviceArea{10'000, 10'000, 100, 10}; // 50 LUTs for a block
  unit("addi", "i32", 9, 1); // indices and sums of integers are logic all the same
  return target;
}

struct BodyProblemTest : testing::Test {
  BodyProblemTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                        math::MathDialect>();
  }

  /// The function's operations but the return.
  std::vector<Operation *> parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    std::vector<Operation *> all;
    for (Operation &op : (*module->getOps<func::FuncOp>().begin()).getBody().front())
      if (!op.hasTrait<OpTrait::IsTerminator>())
        all.push_back(&op);
    return all;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Target target = targetByHand();
};

TEST_F(BodyProblemTest, CostsAreThoseOfUnitsOrOfLogic) {
  std::vector<Operation *> ops = parse(R"(
    func.func @f(%x: f64, %n: i32, %i: index, %k: i64) {
      %0 = arith.addf %x, %x : f64
      %1 = arith.sitofp %n : i32 to f64
      %2 = arith.sitofp %k : i64 to f64
      %3 = arith.muli %n, %n : i32
      %4 = arith.muli %i, %i : index
      %5 = arith.addi %n, %n : i32
      %6 = arith.addi %i, %i : index
      %7 = arith.negf %x : f64
      %8 = affine.apply affine_map<(a) -> (a * 5 + 3)>(%i)
      %9 = arith.shli %n, %n : i32
      %seven = arith.constant 7 : i32
      %10 = arith.shli %n, %seven : i32
      %11 = arith.muli %seven, %n : i32
      return
    })");
  llvm::erase_if(ops, [](Operation *op) { return matchPattern(op, m_Constant()); });
  struct Expected {
    bool needs, has;
    OperatorType type;
  };
  const std::vector<Expected> expected = {
      {true, true, {"addf_f64", 4, 3.5, 0.25}}, {true, true, {"sitofp_i32_f64", 2, 3.5, 0.25}},
      {true, false, {"sitofp_64", 0, 0, 0}},    {true, true, {"muli_i32", 3, 3.5, 0.25}},
      {false, false, {"muli_7", 0, 0, 0}},      {false, false, {"addi_32", 0, 4.2, 4.2}},
      {false, false, {"addi_7", 0, 1.7, 1.7}},  {false, false, {"negf_64", 0, 0, 0}},
      {false, false, {"apply_7", 0, 3.4, 3.4}}, // a * 4 + a + 3
      {false, false, {"shli_32", 0, 10, 10}},   // a cycle at most
      {false, false, {"shli_32", 0, 0, 0}},     // wires
      {true, false, {"muli_32", 0, 4.2, 4.2}},  // n * 8 - n
  };
  CostRules shared{target, [](Value) { return 7u; }, true};
  CostRules alone{target, [](Value) { return 7u; }};
  ASSERT_EQ(ops.size(), expected.size());
  for (auto [op, want] : llvm::zip(ops, expected)) {
    SCOPED_TRACE(want.type.name);
    EXPECT_EQ(needsUnit(op), want.needs);
    EXPECT_EQ(unitFor(op, target) != nullptr, want.has);
    OperatorType type = costOf(op, shared);
    EXPECT_EQ(type.name, want.type.name);
    EXPECT_EQ(type.latency, want.type.latency);
    EXPECT_DOUBLE_EQ(type.delayInNs, want.type.delayInNs);
    EXPECT_DOUBLE_EQ(type.delayOutNs, want.type.delayOutNs);
    EXPECT_DOUBLE_EQ(costOf(op, alone).delayInNs, want.type.delayInNs - (want.has ? 0.5 : 0));
  }
}

/// Signed bits of an i8 and of an i16, from the casts; in either order.
TEST_F(BodyProblemTest, NarrowFactorsTakeTheirUnit) {
  FunctionalUnit narrow = *target.unitFor("muli", "i32");
  narrow.name = "muli_i32_8x16";
  narrow.operandBits = {8, 16};
  narrow.latency = 1;
  target.units.insert(target.units.begin(), narrow);
  std::vector<Operation *> ops = parse(R"(
    func.func @f(%a: i8, %b: i16, %n: i32) {
      %x = arith.extsi %a : i8 to i32
      %y = arith.extsi %b : i16 to i32
      %0 = arith.muli %x, %y : i32
      %1 = arith.muli %y, %x : i32
      %2 = arith.muli %y, %y : i32
      %3 = arith.muli %x, %n : i32
      return
    })");
  SignedBits bits = [](Value value) {
    auto cast = value.getDefiningOp<arith::ExtSIOp>();
    return (cast ? cast.getIn() : value).getType().getIntOrFloatBitWidth();
  };
  std::vector<std::string> found;
  for (Operation *op : llvm::ArrayRef(ops).drop_front(2)) {
    const FunctionalUnit *unit = unitFor(op, target, bits);
    ASSERT_TRUE(unit);
    found.push_back(unit->name);
    EXPECT_EQ(costOf(op, {target, {}, false, bits}).name, unit->name);
    EXPECT_EQ(costOf(op, {target, {}}).name, "muli_i32") << "nothing is known";
    orderOperands(op, *unit, bits);
    EXPECT_EQ(unit == &target.units[0], op->getOperand(0) == ops[0]->getResult(0) &&
                                            op->getOperand(1) == ops[1]->getResult(0));
  }
  EXPECT_THAT(found, ElementsAre("muli_i32_8x16", "muli_i32_8x16", "muli_i32", "muli_i32"));
}

TEST_F(BodyProblemTest, AccessesCostWhatTheirMemoryDoes) {
  BlockMemory memory;
  memory.readLatency = 3;
  memory.delayInNs = 0.7;
  memory.delayOutNs = 2.5;
  EXPECT_EQ(accessCost(false, false, memory), (OperatorType{"load", 3, 0.7, 2.5}));
  EXPECT_EQ(accessCost(true, false, memory), (OperatorType{"store", 1, 0.7, 0}));
  EXPECT_EQ(accessCost(false, true, memory), (OperatorType{"load_register", 0, 0, 0}));
  EXPECT_EQ(accessCost(true, true, memory), (OperatorType{"store_register", 1, 0, 0}));
}

TEST_F(BodyProblemTest, UnitsAreOneForEachOperationUnlessTheyAreLimited) {
  std::vector<Operation *> ops = parse(R"(
    func.func @f(%x: f64) {
      %0 = arith.addf %x, %x : f64
      %1 = arith.divf %0, %x : f64
      %2 = arith.addf %1, %x : f64
      %3 = arith.divf %2, %x : f64
      return
    })");
  const UnitLimits limits = {{"divf_f64", 1}};
  BodyProblem body("body", target, limits);
  CostRules rules{target, [](Value) { return 7u; }};
  for (Operation *op : ops)
    body.useUnit(body.add(op, "", costOf(op, rules)), *unitFor(op, target));
  EXPECT_THAT(body.problem.resources,
              ElementsAre(Resource{"addf_f64", 2}, Resource{"divf_f64", 1}));
  EXPECT_EQ(body.problem.operations[1].busy, 18u);
  EXPECT_EQ(body.problem.operations[2].busy, 1u);
  EXPECT_EQ(body.problem.operatorTypes.size(), 2u);
}

/// A loop of sums with carried values that change places, stand still, or come from outside.
std::string randomLoopText(std::mt19937 &random, unsigned carried, unsigned sums) {
  auto pick = [&](unsigned below) {
    return std::uniform_int_distribution<unsigned>(0, below - 1)(random);
  };
  std::vector<std::string> values = {"%x"};
  for (unsigned c = 0; c < carried; ++c)
    values.push_back(fmt::format("%c{}", c));
  std::string body;
  for (unsigned s = 0; s < sums; ++s) {
    body += fmt::format("%s{} = arith.addf {}, {} : f64\n", s, values[pick(values.size())],
                        values[pick(values.size())]);
    values.push_back(fmt::format("%s{}", s));
  }
  std::vector<std::string> starts, yields, types;
  for (unsigned c = 0; c < carried; ++c) {
    starts.push_back(fmt::format("%c{} = %x", c));
    yields.push_back(values[pick(values.size())]);
    types.push_back("f64");
  }
  return fmt::format("func.func @f(%x: f64) {{\n"
                     "%r:{} = affine.for %i = 0 to 100 iter_args({}) -> ({}) {{\n"
                     "{}affine.yield {} : {}\n}}\nreturn\n}}\n",
                     carried, llvm::join(starts, ", "), llvm::join(types, ", "), body,
                     llvm::join(yields, ", "), llvm::join(types, ", "));
}

using Edges = std::set<std::tuple<unsigned, unsigned, unsigned>>;

/// Runs iterations with values that know which sum of which iteration made them.
Edges edgesByRunning(affine::AffineForOp loop, const std::vector<Operation *> &sums) {
  using Origin = std::optional<std::pair<unsigned, unsigned>>; // sum, iteration
  constexpr unsigned iterations = 20;
  Edges edges;
  std::vector<Origin> state(loop.getRegionIterArgs().size());
  for (unsigned n = 0; n < iterations; ++n) {
    llvm::DenseMap<Value, Origin> now;
    for (auto [argument, origin] : llvm::zip(loop.getRegionIterArgs(), state))
      now[argument] = origin;
    for (unsigned s = 0; s < sums.size(); ++s) {
      for (Value operand : sums[s]->getOperands())
        if (Origin origin = now.lookup(operand))
          edges.insert({origin->first, s, n - origin->second});
      now[sums[s]->getResult(0)] = std::pair(s, n);
    }
    for (auto [value, origin] : llvm::zip(loop.getBody()->getTerminator()->getOperands(), state))
      origin = now.lookup(value);
  }
  return edges;
}

TEST_F(BodyProblemTest, CarriedValuesAreTracedToTheirMakers) {
  std::mt19937 random(7);
  size_t far = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::string text = randomLoopText(random, 1 + round % 6, 1 + round % 4);
    auto loop = cast<affine::AffineForOp>(parse(text).front());
    std::vector<Operation *> sums;
    for (Operation &op : loop.getBody()->without_terminator())
      sums.push_back(&op);
    const UnitLimits none;
    BodyProblem body("body", target, none);
    for (Operation *op : sums)
      body.add(op, "", {"addf", 4, 0, 0});
    for (auto [argument, next] :
         llvm::zip(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands()))
      body.carry(argument, next);
    for (unsigned s = 0; s < sums.size(); ++s)
      for (Value operand : sums[s]->getOperands())
        body.connect(operand, s);
    Edges found;
    for (const Dependence &edge : body.problem.dependences) {
      found.insert({edge.from, edge.to, edge.distance});
      far += edge.distance > 1;
      EXPECT_FALSE(edge.latency);
    }
    EXPECT_EQ(found, edgesByRunning(loop, sums)) << text;
  }
  EXPECT_GT(far, 50u);
}

} // namespace
} // namespace spindle::hls
