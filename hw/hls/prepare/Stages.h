// The stages of `prepare`, in their order. Each refuses by a diagnostic at the operation concerned.
#pragma once

#include "hw/hls/prepare/Prepare.h"

namespace spindle::hls {

/// All of them; what `prepare` and the pass do alike.
mlir::FailureOr<mlir::func::FuncOp> runStages(mlir::ModuleOp module, const PrepareOptions &options);

/// The function `top`, made public, after erasing what it does not reach.
/// Refuses recursion, calls without a body and calls of values.
mlir::FailureOr<mlir::func::FuncOp> selectTop(mlir::ModuleOp module, llvm::StringRef top);

/// Integer arguments become constants, open extents of arrays their numbers.
mlir::LogicalResult bindArguments(mlir::func::FuncOp top, const Bindings &bindings);

/// Local arrays stand before all loops and stay to the end.
mlir::LogicalResult hoistLocalArrays(mlir::func::FuncOp top);

/// Steps of one.
mlir::LogicalResult normalizeLoops(mlir::func::FuncOp top);

} // namespace spindle::hls
