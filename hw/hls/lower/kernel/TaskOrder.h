// Which tasks wait for which.
#pragma once

#include "dialects/hls/Hls.h"

namespace spindle::hls {

/// Every child of `tasks` waits for the earlier ones that access a memory which it accesses too, if
/// one of the two writes it; those that are implied are left out.
void orderByMemory(TasksOp tasks);

/// Adds an order to what there is.
void orderAfter(mlir::Operation *task, mlir::Operation *predecessor);

} // namespace spindle::hls
