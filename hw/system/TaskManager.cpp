#include "hw/system/TaskManager.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace spindle::hls {

using mlir::arith::AddIOp;
using mlir::arith::CmpIOp;
using mlir::arith::CmpIPredicate;

unsigned inputBits(const TaskGraph &graph) { return llvm::Log2_64(graph.inputs | 1) + 1; }

/// idle → (granted) → at work → (ended) → idle, one input further.
static rtl::CircuitModuleOp declareManager(mlir::ModuleOp design, mlir::Location location,
                                           const std::string &name, const TaskGraph &graph) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design.getBody());
  unsigned bits = inputBits(graph);
  mlir::Type bit = builder.getI1Type(), number = builder.getIntegerType(bits);
  auto module = rtl::CircuitModuleOp::create(
      builder, location, name,
      {{"clk", bit},
       {"rst", bit},
       {"clear", bit},
       {"runs", bit},
       {"activation", bit},
       {"granted", bit},
       {"ended", bit}},
      {{"ready", bit}, {"starts", bit}, {"works", bit}, {"inputs", number}});
  Wires wires(location, module.getBodyBlock(), module.getInput("clk"), module.getInput("rst"));
  rtl::WireOp starts = wires.wire(1, "begins"), ends = wires.wire(1, "ends");
  auto state = rtl::MachineOp::create(wires.builder, "operation", wires.clock, wires.reset,
                                      {"idle", "work"});
  state.addTransition(0, starts, 1);
  state.addTransition(1, ends, 0);
  mlir::Value clear = module.getInput("clear");
  ends.drive(wires.conjunction(state.getResult(1), module.getInput("ended")));
  // The status that others wait for.
  rtl::RegOp inputs =
      wires.holding(bits, "status", wires.disjunction(clear, ends), /*resets=*/true);
  mlir::Value next = AddIOp::create(wires.builder, inputs, wires.constant(1, bits));
  inputs.setNext(wires.choose(clear, wires.constant(0, bits), next));
  mlir::Value isLeft = wires.negation(wires.equals(inputs, int64_t(graph.inputs)));
  mlir::Value ready = wires.conjunction(
      wires.conjunction(wires.conjunction(state.getResult(0), module.getInput("runs")), isLeft),
      module.getInput("activation"));
  starts.drive(wires.conjunction(ready, module.getInput("granted")));
  rtl::OutputOp::create(wires.builder, mlir::ValueRange{ready, starts, state.getResult(1), inputs});
  return module;
}

/// Whether a task may begin the input after its last one: `order.from` is far enough, the input
/// that it is at among those where it is `underWay` (null: it has to be done).
static mlir::Value isFarEnough(Wires &wires, const TaskGraph &graph, const TaskOrder &order,
                               mlir::Value from, mlir::Value underWay, mlir::Value to) {
  if (graph.inputs == 1)
    return order.distance > 0 ? wires.one() : wires.disjunction(from, underWay);
  unsigned bits = llvm::Log2_64(graph.inputs + order.distance) + 1;
  mlir::Value reach = wires.resized(from, bits, false);
  reach = AddIOp::create(wires.builder, reach, wires.constant(order.distance, bits));
  if (underWay)
    reach = AddIOp::create(wires.builder, reach, wires.resized(underWay, bits, false));
  return CmpIOp::create(wires.builder, CmpIPredicate::ugt, reach, wires.resized(to, bits, false));
}

/// By task, the cycles since its start while it is at work; counts as far as the longest delay that
/// others wait. Null where none does.
static std::vector<mlir::Value> addElapsed(Wires &wires, const TaskGraph &graph,
                                           const TaskManagers &managers) {
  std::vector<mlir::Value> elapsed(graph.tasks.size());
  for (size_t task = 0; task < graph.tasks.size(); ++task) {
    uint64_t most = 0;
    for (const TaskOrder &order : graph.order)
      if (order.from == task)
        most = std::max(most, order.delay.value_or(0));
    if (most == 0)
      continue;
    unsigned bits = llvm::Log2_64(most) + 1;
    mlir::Value starts = managers.tasks[task].starts;
    rtl::WireOp isLess = wires.wire(1, graph.tasks[task].name + "_counts");
    rtl::RegOp cycles =
        wires.holding(bits, graph.tasks[task].name + "_elapsed", wires.disjunction(starts, isLess));
    isLess.drive(wires.negation(wires.equals(cycles, int64_t(most))));
    mlir::Value next = AddIOp::create(wires.builder, cycles, wires.constant(1, bits));
    cycles.setNext(wires.choose(starts, wires.constant(1, bits), next));
    elapsed[task] = cycles;
  }
  return elapsed;
}

TaskManagers addManagers(Wires &wires, mlir::ModuleOp design, const std::string &name,
                         const TaskGraph &graph, mlir::Value clear, mlir::Value runs) {
  rtl::CircuitModuleOp manager = declareManager(design, wires.builder.getLoc(), name, graph);
  manager->moveBefore(clear.getParentBlock()->getParentOp());
  TaskManagers made;
  std::vector<rtl::WireOp> activations;
  for (const Task &task : graph.tasks) {
    TaskManagers::Signals signals;
    activations.push_back(wires.wire(1, task.name + "_activation"));
    signals.granted = wires.wire(1, task.name + "_granted");
    signals.ended = wires.wire(1, task.name + "_ended");
    auto instance = rtl::InstanceOp::create(wires.builder, task.name, manager.getOperation(),
                                            {wires.clock, wires.reset, clear, runs,
                                             activations.back(), signals.granted, signals.ended});
    signals.isReady = instance.getResult(0);
    signals.starts = instance.getResult(1);
    signals.isAtWork = instance.getResult(2);
    signals.inputs = instance.getResult(3);
    signals.isActive =
        wires.named(wires.disjunction(signals.starts, signals.isAtWork), task.name + "_active");
    made.tasks.push_back(signals);
    made.allDone =
        wires.conjunction(made.allDone, wires.equals(signals.inputs, int64_t(graph.inputs)));
  }
  std::vector<mlir::Value> elapsed = addElapsed(wires, graph, made);
  for (size_t task = 0; task < graph.tasks.size(); ++task) {
    mlir::Value all;
    for (const TaskOrder &order : graph.order) {
      if (order.to != task)
        continue;
      const TaskManagers::Signals &from = made.tasks[order.from];
      mlir::Value underWay;
      if (order.delay) {
        unsigned bits = rtl::widthOf(elapsed[order.from]);
        mlir::Value isReached =
            CmpIOp::create(wires.builder, CmpIPredicate::uge, elapsed[order.from],
                           wires.constant(int64_t(*order.delay), bits));
        underWay = wires.conjunction(from.isAtWork, isReached);
      }
      all = wires.conjunction(
          all, isFarEnough(wires, graph, order, from.inputs, underWay, made.tasks[task].inputs));
    }
    activations[task].drive(all ? all : wires.one());
  }
  return made;
}

} // namespace spindle::hls
