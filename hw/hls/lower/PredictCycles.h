// How long a kernel takes.
#pragma once

#include "dialects/hls/Hls.h"

#include <optional>

namespace spindle::hls {

/// When a task runs. A pipeline has iterations, bubbles included.
struct TaskTime {
  uint64_t start = 0, cycles = 0;    // of its first run; since the kernel's start
  uint64_t runs = 0, iterations = 0; // over all
};
using TaskTimes = llvm::DenseMap<mlir::Operation *, TaskTime>;

/// Cycles from the edge that sees start to the edge that sees done; nothing where a bound depends
/// on an argument. A pipeline of n iterations takes (n - 1) * interval + depth cycles, a repeat one
/// more than its tasks for each value of the counter, tasks as long as the longest chain among
/// them, the kernel at least one. Nothing either where there are streams. `times`, where given,
/// gets every task that runs; where nothing is returned, some of them.
std::optional<uint64_t> predictCycles(KernelOp kernel, TaskTimes *times = nullptr);

/// Of a kernel that is one pipeline, with streams that are all arguments: its cycles if a token is
/// always there and there is always room. Nothing for other kernels.
std::optional<uint64_t> cyclesWithoutWaits(KernelOp kernel);

/// Iterations of a pipeline, bubbles included, for given values of the repeats around it; nothing
/// where they depend on an argument.
std::optional<uint64_t> iterationsOf(PipelineOp pipeline,
                                     const llvm::DenseMap<mlir::Value, int64_t> &counters);

} // namespace spindle::hls
