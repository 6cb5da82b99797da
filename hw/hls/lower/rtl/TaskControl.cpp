#include "hw/hls/lower/rtl/TaskControl.h"

#include "hw/hls/lower/kernel/SourceNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

namespace spindle::hls {

namespace arith = mlir::arith;

/// High in the cycle in which the last of `tasks` is done.
mlir::Value TaskControl::allDone(llvm::ArrayRef<mlir::Operation *> tasks, mlir::Value clear) {
  if (tasks.size() == 1)
    return done.at(tasks.front());
  mlir::Value all, any;
  for (mlir::Operation *task : tasks) {
    mlir::Value &before = finished[task];
    if (!before)
      before = wires.flag(done.at(task), clear, nameOf(task).str() + "_finished");
    all = wires.conjunction(all, wires.disjunction(before, done.at(task)));
    any = wires.disjunction(any, done.at(task));
  }
  return wires.conjunction(all, any);
}

mlir::Value TaskControl::build(TasksOp tasks, mlir::Value start) {
  llvm::StringMap<mlir::Operation *> named;
  llvm::SmallVector<mlir::Operation *> ends;
  rtl::WireOp end = wires.wire(1, "");
  for (mlir::Operation &task : tasks.getBody().front()) {
    llvm::SmallVector<mlir::Operation *> before;
    for (llvm::StringRef name : predecessorsOf(&task)) {
      before.push_back(named.lookup(name));
      llvm::erase(ends, before.back());
    }
    Wires::Part part(wires, task.getLoc(), nameOf(&task).str() + "_start");
    mlir::Value starts = before.empty() ? start : allDone(before, end);
    if (!registersAtStart(&task).empty())
      starts = wires.delayed(starts, 1, true, nameOf(&task).str() + "_start");
    auto repeat = llvm::dyn_cast<RepeatOp>(task);
    // First: tasks inside are entered, too, which may move what the map holds.
    mlir::Value isDone =
        repeat ? build(repeat, starts) : makePipeline(llvm::cast<PipelineOp>(task), starts);
    done[&task] = isDone;
    named[nameOf(&task)] = &task;
    ends.push_back(&task);
  }
  Wires::Part part(wires, "all_done");
  mlir::Value result = ends.empty() ? start : allDone(ends, end);
  end.drive(result);
  return result;
}

/// The counter is set in the cycle of `start` and after every run of the tasks; they start in the
/// cycle after it. A condition may be written in the last cycle of a run and is looked at in the
/// next.
mlir::Value TaskControl::build(RepeatOp repeat, mlir::Value start) {
  IndexArithmetic indices(wires);
  std::string name = nameOf(repeat).str();
  Turns turns = repeat.isUncounted() ? Turns() : count(repeat, indices);
  Wires::Part part(wires, repeat.getLoc(), name + "_next");
  if (repeat.getCondition()) {
    mlir::Value ends = wires.negation(conditionOf(repeat));
    turns.isEmpty = wires.disjunction(turns.isEmpty, ends);
    turns.isLast = wires.disjunction(turns.isLast, ends);
  }

  rtl::WireOp ran = wires.wire(1, name + "_ran");
  mlir::Value again = wires.conjunction(ran, wires.negation(turns.isLast));
  mlir::Value enters = wires.conjunction(start, wires.negation(turns.isEmpty));
  mlir::Value moves = wires.named(wires.disjunction(enters, again), name + "_turn");
  if (turns.counter) {
    turns.counter.getEnableMutable().assign(moves);
    IntegerRange range = ranges.of(repeat.getCounter());
    turns.counter.setNext(
        indices.resized(indices.choose(start, turns.first, turns.next), bitsFor(range)));
  }
  mlir::Value launch = wires.delayed(moves, 1, true);
  mlir::Value tasksDone = build(repeat.getTasks(), launch);
  ran.drive(repeat.getCondition() ? wires.delayed(tasksDone, 1, true) : tasksDone);
  mlir::Value isOver = wires.conjunction(ran, turns.isLast);
  return wires.disjunction(isOver, wires.conjunction(start, turns.isEmpty));
}

/// The counter of a repeat, not yet driven.
TaskControl::Turns TaskControl::count(RepeatOp repeat, IndexArithmetic &indices) {
  llvm::SmallVector<Index> operands;
  for (mlir::Value value : repeat.getBoundOperands())
    operands.push_back({wireOf(value), ranges.of(value)});
  IntegerRange range = ranges.of(repeat.getCounter());
  std::string name = nameOf(repeat).str();
  Turns turns;
  turns.counter =
      wires.holding(bitsFor(range), counterName(repeat.getCounter(), name + "_counter"));
  Wires::Part part(wires, repeat.getLoc(), name + "_next");
  values[repeat.getCounter()] = turns.counter;
  turns.first = indices.largest(repeat.getLowerBound(), operands);
  Index end = indices.smallest(repeat.getUpperBound(), operands);
  turns.next = indices.add({turns.counter, range}, indices.constant(1));
  turns.isEmpty = indices.compare(arith::CmpIPredicate::sge, turns.first, end);
  turns.isLast = indices.compare(arith::CmpIPredicate::eq, turns.next, end); // never past it
  return turns;
}

} // namespace spindle::hls
