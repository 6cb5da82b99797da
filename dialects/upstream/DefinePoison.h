// Values that a program leaves open.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle {

/// ub.poison, and llvm.mlir.undef and poison as front ends for C leave them, become zeros below an
/// operation, where their type has one: what reads them by mistake gives the same everywhere.
void definePoison(mlir::Operation *root);

} // namespace spindle
