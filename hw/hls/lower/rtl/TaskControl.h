// Who starts when: tasks, one after the other or together.
#pragma once

#include "hw/hls/lower/rtl/IndexArithmetic.h"

#include <functional>

namespace spindle::hls {

/// Builds the control of trees of tasks in the kernel's module.
class TaskControl {
public:
  /// Instantiates a pipeline that is started by the wire, and returns its done.
  using MakePipeline = std::function<mlir::Value(PipelineOp, mlir::Value)>;
  /// The wire of a value from outside of the pipelines.
  using WireOf = std::function<mlir::Value(mlir::Value)>;
  /// The wire of the register that a repeat has as its condition.
  using ConditionOf = std::function<mlir::Value(RepeatOp)>;

  TaskControl(Wires &module, const IndexRanges &indices, MakePipeline make, WireOf find,
              ConditionOf condition, llvm::DenseMap<mlir::Value, mlir::Value> &known)
      : wires(module), ranges(indices), makePipeline(std::move(make)), wireOf(std::move(find)),
        conditionOf(std::move(condition)), values(known) {}

  /// Returns done: high in the last cycle of the last task. `start` is high for one cycle; a task
  /// starts in the cycle in which the last of those it waits for is done, or one later
  /// (registersAtStart).
  mlir::Value build(TasksOp tasks, mlir::Value start);

private:
  mlir::Value build(RepeatOp repeat, mlir::Value start);
  /// What tells a repeat whether there is a turn: none at the start, none after this one.
  struct Turns {
    rtl::RegOp counter;
    Index first, next; // values of the counter
    mlir::Value isEmpty, isLast;
  };
  Turns count(RepeatOp repeat, IndexArithmetic &indices);
  mlir::Value allDone(llvm::ArrayRef<mlir::Operation *> tasks, mlir::Value clear);

  Wires &wires;
  const IndexRanges &ranges;
  MakePipeline makePipeline;
  WireOf wireOf;
  ConditionOf conditionOf;
  llvm::DenseMap<mlir::Value, mlir::Value> &values; // counters of repeats are added
  llvm::DenseMap<mlir::Operation *, mlir::Value> done, finished;
};

} // namespace spindle::hls
