// The simulation of circuits against what their operations say, worked out by hand.
#include "dialects/rtl/simulation/Simulation.h"
#include "core/support/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace spindle::rtl {
namespace {

using llvm::APInt;

class SimulationOf : public testing::Test {
protected:
  std::unique_ptr<Simulation> make(const char *text, llvm::StringRef top,
                                   ExternModels externs = {}) {
    context.loadDialect<RtlDialect, mlir::arith::ArithDialect>();
    design = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    llvm::Expected<std::unique_ptr<Simulation>> made =
        Simulation::create(*design, top, std::move(externs));
    if (made)
      return std::move(*made);
    error = toText(made.takeError());
    return nullptr;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> design;
  std::string error;
};

TEST_F(SimulationOf, RegistersPutResetBeforeEnable) {
  auto simulation = make(R"(
    rtl.module @counter(in %clk : i1, in %rst : i1, in %en : i1, out y : i8) {
      %one = arith.constant 1 : i8
      %next = arith.addi %q, %one : i8
      %q = rtl.reg %next, %clk enable %en reset %rst to 250 : i8
      rtl.output %q : i8
    })",
                         "counter");
  unsigned expected = 0;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    bool reset = cycle == 3 || cycle == 20, enable = cycle % 3 != 1;
    simulation->set("rst", APInt(1, reset));
    simulation->set("en", APInt(1, enable));
    EXPECT_EQ(simulation->get("y").getZExtValue(), expected);
    simulation->step();
    expected = reset ? 250 : (expected + enable) % 256;
  }
}

TEST_F(SimulationOf, DelaysCountEnabledCycles) {
  auto simulation = make(R"(
    rtl.module @late(in %clk : i1, in %en : i1, in %x : i8, out y : i8) {
      %y = rtl.delay %x by 3, %clk enable %en : i8
      rtl.output %y : i8
    })",
                         "late");
  std::vector<unsigned> accepted = {0, 0, 0};
  for (unsigned cycle = 0; cycle < 30; ++cycle) {
    bool enable = cycle % 4 != 2;
    simulation->set("en", APInt(1, enable));
    simulation->set("x", APInt(8, 7 * cycle + 1));
    EXPECT_EQ(simulation->get("y").getZExtValue(), accepted[accepted.size() - 3]);
    simulation->step();
    if (enable)
      accepted.push_back((7 * cycle + 1) % 256);
  }
}

TEST_F(SimulationOf, MemoriesReadBeforeTheyWriteAndHold) {
  auto simulation = make(R"(
    rtl.module @memory(in %clk : i1, in %en : i1, in %we : i1, in %addr : i2, in %x : i8, in %look : i2, out y : i8, out z : i8) {
      %true = arith.constant true
      %false = arith.constant false
      %y, %z = rtl.memory "words" %clk depth 3 : i8 ports (%en, %we, %addr, %x), (%true, %false, %look, %x) {initial = dense<[5, 6, 7]> : tensor<3xi8>}
      rtl.output %y, %z : i8, i8
    })",
                         "memory");
  auto drive = [&](bool en, bool we, unsigned addr, unsigned x, unsigned look) {
    simulation->set("en", APInt(1, en));
    simulation->set("we", APInt(1, we));
    simulation->set("addr", APInt(2, addr));
    simulation->set("x", APInt(8, x));
    simulation->set("look", APInt(2, look));
    simulation->step();
  };
  drive(true, true, 1, 99, 2);
  EXPECT_EQ(simulation->get("y").getZExtValue(), 6u);
  EXPECT_EQ(simulation->get("z").getZExtValue(), 7u);
  drive(false, true, 2, 50, 1);
  EXPECT_EQ(simulation->get("y").getZExtValue(), 6u);
  EXPECT_EQ(simulation->get("z").getZExtValue(), 99u);
  drive(true, false, 2, 50, 0);
  EXPECT_EQ(simulation->get("y").getZExtValue(), 7u);
  EXPECT_EQ(simulation->get("z").getZExtValue(), 5u);
}

TEST_F(SimulationOf, MachinesTakeTheFirstTransition) {
  auto simulation = make(R"(
    rtl.module @control(in %clk : i1, in %rst : i1, in %a : i1, in %b : i1, out y : i3) {
      %s:3 = rtl.machine "control" %clk reset %rst {idle: %a -> run else %b -> stop, run: %b -> idle, stop}
      %y = rtl.concat %s#2, %s#1, %s#0 : i1, i1, i1 -> i3
      rtl.output %y : i3
    })",
                         "control");
  auto drive = [&](bool rst, bool a, bool b) {
    simulation->set("rst", APInt(1, rst));
    simulation->set("a", APInt(1, a));
    simulation->set("b", APInt(1, b));
    simulation->step();
    return simulation->get("y").getZExtValue();
  };
  EXPECT_EQ(simulation->get("y").getZExtValue(), 1u);
  EXPECT_EQ(drive(false, true, true), 2u);
  EXPECT_EQ(drive(false, true, false), 2u);
  EXPECT_EQ(drive(false, false, true), 1u);
  EXPECT_EQ(drive(false, false, true), 4u);
  EXPECT_EQ(drive(false, true, true), 4u);
  EXPECT_EQ(drive(true, true, true), 1u);
}

/// y = a + the input b of the cycle before.
class AddLast : public ExternModel {
public:
  std::vector<APInt> outputs(llvm::ArrayRef<APInt> inputs) override { return {inputs[0] + last}; }
  void clock(llvm::ArrayRef<APInt> inputs) override { last = inputs[1]; }

private:
  APInt last = APInt(8, 0);
};

constexpr const char *withExtern = R"(
  rtl.extern @unit(in a : i8, in b : i8, out y : i8) {combinational = [["a", "y"]]}
  rtl.module @inner(in %x : i8, out y : i8) {
    %y = rtl.instance "u" @unit (a: %x : i8, b: %y : i8) -> (y: i8)
    rtl.output %y : i8
  }
  rtl.module @outer(in %x : i8, out y : i8) {
    %y = rtl.instance "v" @inner (x: %x : i8) -> (y: i8)
    rtl.output %y : i8
  })";

TEST_F(SimulationOf, HierarchiesWithExternsAccumulate) {
  auto simulation = make(withExtern, "outer", [](ExternOp, mlir::DictionaryAttr) {
    return std::make_unique<AddLast>();
  });
  unsigned sum = 0;
  for (unsigned cycle = 0; cycle < 20; ++cycle) {
    sum = (sum + 3 * cycle + 1) % 256;
    simulation->set("x", APInt(8, (3 * cycle + 1) % 256));
    EXPECT_EQ(simulation->get("y").getZExtValue(), sum);
    simulation->step();
  }
}

TEST_F(SimulationOf, ExternsWithoutModelsAreRefused) {
  EXPECT_EQ(make(withExtern, "outer"), nullptr);
  EXPECT_NE(error.find("there is no model of @unit, expected one for its instance 'u'"),
            std::string::npos)
      << error;
  EXPECT_EQ(make(withExtern, "absent"), nullptr);
  EXPECT_NE(error.find("there is no module @absent"), std::string::npos) << error;
}

} // namespace
} // namespace spindle::rtl
