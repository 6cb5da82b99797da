// Programs that users write, read from disk.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace spindle::hls {

/// A context that knows affine, arith, bufferization, cf, func, index, linalg, math, memref, scf,
/// tensor, tosa and ub, and reads what front ends leave of other dialects: one for all commands, so
/// that each reads what another one took.
std::unique_ptr<mlir::MLIRContext> makeProgramContext();

/// Parses and verifies; the error is the first diagnostic at file:line:column.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseProgram(mlir::MLIRContext &context, const std::string &text, const std::string &path);
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> readProgram(mlir::MLIRContext &context,
                                                              const std::string &path);

} // namespace spindle::hls
