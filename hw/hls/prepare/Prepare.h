// Input as others write it to the loop form that the loop passes and the lowering read
// (LoopForm.h).
#pragma once

#include "core/support/Error.h"
#include "hw/hls/prepare/Bindings.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace spindle::hls {

struct PrepareOptions {
  std::string top; // function to synthesise; empty: the only public one
  Bindings bind;   // argument index of the function as given → its value or shape
};

/// Rewrites `module` until it holds the top function alone, in loop form, and the constant arrays
/// that it reads. Argument i stays argument i; a bound one stays unused. A result that is a tensor
/// or an array becomes an argument after all others, in the order of the results; other results
/// stay. Floating-point operations stay as written and in their order; fast-math flags are dropped.
///
/// What cannot be synthesised is an input error with the place of the operation. The module is
/// useless afterwards.
llvm::Expected<mlir::func::FuncOp> prepare(mlir::ModuleOp module, const PrepareOptions &options);

/// The dialects a kernel may be written in and what their lowering needs.
void registerKernelDialects(mlir::DialectRegistry &registry);

} // namespace spindle::hls
