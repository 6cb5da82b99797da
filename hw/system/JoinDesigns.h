// Several designs as one.
#pragma once

#include "dialects/rtl/Rtl.h"

namespace spindle::hls {

/// Copies all modules of `from` to the end of `into`. Hand-written modules that are declared alike
/// are declared once; others of the same name get another one. Names of other modules are
/// different.
void joinDesign(mlir::ModuleOp into, mlir::ModuleOp from);

} // namespace spindle::hls
