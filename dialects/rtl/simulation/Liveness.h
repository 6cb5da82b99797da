// Which operations of a module matter.
#pragma once

#include "dialects/rtl/Rtl.h"

#include "llvm/ADT/SetVector.h"

namespace spindle::rtl {

/// The operations that an output or an instance with effects depends on, in any cycle; those
/// themselves included.
llvm::SetVector<mlir::Operation *> liveOperations(CircuitModuleOp module);

} // namespace spindle::rtl
