// How long a kernel takes.
#pragma once

#include "dialects/hls/Hls.h"

#include <optional>

namespace spindle::hls {

/// Cycles from the edge that sees start to the edge that sees done; nothing where a bound depends
/// on an argument. A pipeline of n iterations takes (n - 1) * interval + depth cycles, a repeat one
/// more than its tasks for each value of the counter, tasks as long as the longest chain among
/// them, the kernel at least one.
std::optional<uint64_t> predictCycles(KernelOp kernel);

/// Iterations of a pipeline, bubbles included, for given values of the repeats around it; nothing
/// where they depend on an argument.
std::optional<uint64_t> iterationsOf(PipelineOp pipeline,
                                     const llvm::DenseMap<mlir::Value, int64_t> &counters);

} // namespace spindle::hls
