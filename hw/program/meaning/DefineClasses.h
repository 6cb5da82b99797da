// Classes of floats, by the comparisons that define them.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle::hls {

/// math.isnan, isinf, isfinite and isnormal of all types, some of which LLVM has no lowering for.
void defineClasses(mlir::ModuleOp module);

} // namespace spindle::hls
