// Divisors in affine maps and sets: one below 1 has no meaning, yet MLIR verifies and folds with it
// as if it had.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spindle {

/// Calls `check` with each quotient and remainder in an expression, until it fails.
mlir::LogicalResult
checkDivisions(mlir::AffineExpr expression,
               llvm::function_ref<mlir::LogicalResult(mlir::AffineBinaryOpExpr)> check);

/// Calls `check` with each expression of the maps and sets of an operation, in its attributes and
/// in the types that it defines, until it fails.
mlir::LogicalResult
checkWrittenExpressions(mlir::Operation *op,
                        llvm::function_ref<mlir::LogicalResult(mlir::AffineExpr)> check);

/// Refuses quotients and remainders by constants below 1, wherever they are written.
mlir::LogicalResult checkConstantDivisors(mlir::ModuleOp module);

/// Parses, refuses such divisors, and only then verifies. Null after an error, which goes to the
/// context's diagnostics.
mlir::OwningOpRef<mlir::ModuleOp> parseWithDivisors(mlir::MLIRContext &context,
                                                    llvm::StringRef text, llvm::StringRef path);

/// The expression as it is written: `d0 mod 4`.
std::string textOf(mlir::AffineExpr expression);

} // namespace spindle
