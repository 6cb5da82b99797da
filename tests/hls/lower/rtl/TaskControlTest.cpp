// Random trees of tasks: the control as a circuit, the interpreter and the prediction agree on the
// cycle in which all is done.
#include "hw/hls/lower/rtl/TaskControl.h"

#include "dialects/hls/interpreter/Interpreter.h"
#include "dialects/rtl/simulation/Simulation.h"
#include "hw/hls/lower/PredictCycles.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace spindle;
using namespace spindle::hls;
using llvm::APInt;

namespace {

class RandomTasks {
public:
  explicit RandomTasks(unsigned seed) : random(seed) {}

  std::string tasks(unsigned depth) {
    std::string text = "hls.tasks {\n";
    std::vector<std::string> names;
    for (unsigned count = number(1, 5); count > 0; --count) {
      std::vector<std::string> after;
      for (const std::string &name : names)
        if (number(0, 2) == 0)
          after.push_back('"' + name + '"');
      names.push_back(fmt::format("t{}", made++));
      std::string waits = after.empty() ? "" : fmt::format("after [{}]", fmt::join(after, ", "));
      if (depth > 0 && number(0, 2) == 0)
        text += fmt::format("hls.repeat \"{}\" {} {{\n^bb0(%i{}: index):\n{}}} {{lower_bound = "
                            "affine_map<() -> (0)>, upper_bound = affine_map<() -> ({})>}}\n",
                            names.back(), waits, made++, tasks(depth - 1), number(0, 4));
      else
        text += pipeline(names.back(), waits, number(1, 6));
    }
    return text + "}\n";
  }

private:
  /// One operation in its last cycle makes it as deep as it is.
  static std::string pipeline(const std::string &name, const std::string &waits, unsigned depth) {
    return fmt::format(
        "hls.pipeline \"{}\" interval 1 depth {} {} {{\n%c = arith.constant {{hls.start "
        "= {} : i64}} 0 : i32\nhls.yield }} {{at_least = array<i64>, dependences = [], "
        "lower_bounds = [], upper_bounds = []}}\n",
        name, depth, waits, depth - 1);
  }
  unsigned number(unsigned least, unsigned most) {
    return std::uniform_int_distribution<unsigned>(least, most)(random);
  }
  std::mt19937 random;
  unsigned made = 0;
};

/// Cycles from start to done, for two runs; a pipeline is done as many cycles after its start as it
/// is deep.
std::vector<uint64_t> cyclesOfCircuit(KernelOp kernel, uint64_t most) {
  mlir::OpBuilder builder(kernel.getContext());
  mlir::Location location = builder.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> design = mlir::ModuleOp::create(location);
  mlir::OpBuilder top = mlir::OpBuilder::atBlockEnd(design->getBody());
  mlir::Type bit = builder.getI1Type();
  llvm::SmallVector<rtl::Port> in{{"clk", bit}, {"rst", bit}, {"start", bit}}, out{{"done", bit}};
  auto module = rtl::CircuitModuleOp::create(top, location, "circuit", in, out);
  Wires wires(location, module.getBodyBlock(), module.getInput("clk"), module.getInput("rst"));
  IndexRanges ranges(kernel);
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  TaskControl control(
      wires, ranges,
      [&](PipelineOp pipeline, mlir::Value start) {
        return wires.delayed(start, static_cast<int64_t>(pipeline.getDepth()), true);
      },
      [&](mlir::Value value) { return values.lookup(value); },
      [](RepeatOp) { return mlir::Value(); }, values);
  rtl::OutputOp::create(wires.builder, control.build(kernel.getTasks(), module.getInput("start")));
  auto simulation = llvm::cantFail(rtl::Simulation::create(*design, "circuit"));
  simulation->set("rst", APInt(1, 0));
  std::vector<uint64_t> found;
  for (int run = 0; run < 2; ++run)
    for (uint64_t cycle = 0; cycle <= most; ++cycle) {
      simulation->set("start", APInt(1, cycle == 0));
      bool isDone = simulation->get("done").isOne();
      simulation->step();
      if (isDone) {
        found.push_back(std::max<uint64_t>(cycle, 1)); // as the kernel's control does
        break;
      }
    }
  return found;
}

TEST(TaskControl, EndsWhenPredicted) {
  mlir::MLIRContext context;
  context.loadDialect<HlsDialect, rtl::RtlDialect>();
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::string text = "hls.kernel @k target \"t\" clock 1.0e+01 arguments [] {\n" +
                       RandomTasks(seed).tasks(2) + "}\n";
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    KernelOp kernel = *module->getOps<KernelOp>().begin();
    uint64_t predicted = *predictCycles(kernel);
    auto interpreted = interpret(kernel, {}, {});
    ASSERT_TRUE(bool(interpreted)) << toText(interpreted.takeError());
    EXPECT_EQ(interpreted->cycles, predicted) << text;
    EXPECT_EQ(cyclesOfCircuit(kernel, predicted + 10), std::vector<uint64_t>(2, predicted)) << text;
  }
}

} // namespace
