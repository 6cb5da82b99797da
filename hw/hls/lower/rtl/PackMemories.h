// Banks that are always accessed together as one memory of wider words.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle::hls {

/// Block memories of one array whose ports have the same enables and addresses, the lanes of an
/// unrolled loop, become memories of wider words where these take fewer blocks: neighbours side by
/// side, the first bank lowest. Ports of a circuit, and so the layout of arguments, stay as they
/// are. The design is canonical. How many memories went into others.
unsigned packMemories(mlir::ModuleOp design);

} // namespace spindle::hls
