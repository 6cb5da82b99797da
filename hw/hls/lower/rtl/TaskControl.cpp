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
    auto repeat = llvm::dyn_cast<RepeatOp>(task);
    done[&task] =
        repeat ? build(repeat, starts) : makePipeline(llvm::cast<PipelineOp>(task), starts);
    named[nameOf(&task)] = &task;
    ends.push_back(&task);
  }
  Wires::Part part(wires, "all_done");
  mlir::Value result = ends.empty() ? start : allDone(ends, end);
  end.drive(result);
  return result;
}

/// The counter is set in the cycle of `start` and after every run of the tasks; they start in the
/// cycle after it.
mlir::Value TaskControl::build(RepeatOp repeat, mlir::Value start) {
  IndexArithmetic indices(wires);
  llvm::SmallVector<Index> operands;
  for (mlir::Value value : repeat.getBoundOperands())
    operands.push_back({wireOf(value), ranges.of(value)});
  IntegerRange range = ranges.of(repeat.getCounter());
  std::string name = nameOf(repeat).str();
  rtl::RegOp counter =
      wires.holding(bitsFor(range), counterName(repeat.getCounter(), name + "_counter"));
  Wires::Part part(wires, repeat.getLoc(), name + "_next");
  values[repeat.getCounter()] = counter;

  Index first = indices.largest(repeat.getLowerBound(), operands);
  Index end = indices.smallest(repeat.getUpperBound(), operands);
  Index next = indices.add({counter, range}, indices.constant(1));
  mlir::Value isEmpty = indices.compare(arith::CmpIPredicate::sge, first, end);
  mlir::Value isLast = indices.compare(arith::CmpIPredicate::sge, next, end);

  rtl::WireOp ran = wires.wire(1, name + "_ran");
  mlir::Value again = wires.conjunction(ran, wires.negation(isLast));
  mlir::Value enters = wires.conjunction(start, wires.negation(isEmpty));
  mlir::Value moves = wires.named(wires.disjunction(enters, again), name + "_turn");
  counter.getEnableMutable().assign(moves);
  counter.setNext(indices.resized(indices.choose(start, first, next), bitsFor(range)));
  mlir::Value launch = wires.delayed(moves, 1, true);
  ran.drive(build(repeat.getTasks(), launch));
  return wires.disjunction(wires.conjunction(ran, isLast), wires.conjunction(start, isEmpty));
}

} // namespace spindle::hls
