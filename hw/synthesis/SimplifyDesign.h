// The last passes before a design is printed.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle::hls {

/// Canonicalises and shares common expressions; `place` stands before the error.
llvm::Error simplifyDesign(mlir::ModuleOp design, const std::string &place);

} // namespace spindle::hls
