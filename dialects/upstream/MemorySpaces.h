// Memory spaces, which say where a processor keeps an array. A circuit's arrays lie where its
// directives say.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// All arrays of the module lose their memory space; casts between spaces vanish.
void forgetMemorySpaces(mlir::ModuleOp module);

} // namespace spindle
