// A program that is compiled and run must not reach anything outside itself.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace spindle::hls {

/// Leaves `function` and what it refers to, without attributes that say how symbols are linked or
/// data laid out. Errors: no such function, functions and globals without contents, operations
/// that are no program's (llvm.call, inline assembly, …).
llvm::Error confineProgram(mlir::ModuleOp module, const std::string &function);

/// Of a program in the LLVM dialect: errors for symbols that are neither defined here nor
/// mathematical functions nor ours.
llvm::Error checkLinkage(mlir::ModuleOp module);

} // namespace spindle::hls
