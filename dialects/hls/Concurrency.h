// What operations occupy, and which tasks may run at the same time.
#pragma once

#include "dialects/hls/Hls.h"

namespace spindle::hls {

/// A unit, or the port of a bank, and for how many cycles an operation keeps it.
struct Claim {
  std::string what;
  int64_t cycles;
};

/// Null for operations that occupy nothing.
std::optional<Claim> claimOf(mlir::Operation *op);

/// For every pair of tasks of `tasks`, whether the first is done before the second starts: the
/// transitive closure of `after`, indexed by position.
std::vector<std::vector<bool>> precedence(TasksOp tasks);

/// Tasks that may run at the same time claim different things (kernel_c3).
mlir::LogicalResult verifyConcurrency(KernelOp kernel);

} // namespace spindle::hls
