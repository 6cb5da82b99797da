// Which tasks wait for which.
#pragma once

#include "core/support/Error.h"
#include "dialects/hls/Hls.h"

namespace spindle::hls {

/// Every child of `tasks` waits for the earlier ones that access a memory which it accesses too, if
/// one of the two writes it, for those that are at the same end of a stream, and for those that put
/// tokens on a stored one which it takes; what is implied is left out. Errors: one waits for the
/// end of a loop from which it takes tokens.
llvm::Error orderByMemory(TasksOp tasks);

/// Adds an order to what there is.
void orderAfter(mlir::Operation *task, mlir::Operation *predecessor);

} // namespace spindle::hls
