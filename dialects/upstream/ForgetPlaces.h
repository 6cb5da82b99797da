// Where a processor keeps an array. A circuit's arrays lie where its directives say.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// All arrays of the module lose their memory space, and what is said of their alignment and of
/// their being apart; casts between spaces vanish.
void forgetPlaces(mlir::ModuleOp module);

} // namespace spindle
