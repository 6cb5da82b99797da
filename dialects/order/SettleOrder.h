// One order for operations that may stand in several.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle {

/// Operations without effects move to where they are first needed, in the order of operands; those
/// that nobody needs are gone. What is written does not depend on the order in which they were
/// made: C++ leaves the order of a call's arguments to the compiler.
void settleOrder(mlir::func::FuncOp function);

} // namespace spindle
