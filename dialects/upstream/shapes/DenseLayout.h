// Arrays without a layout: row-major, no gaps.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace spindle {

/// The type without its layout.
mlir::MemRefType denseType(mlir::MemRefType type);

/// Whether every stride that a layout states is the one of the dense type, and so is the offset.
/// Behind an open extent no stride is known to be. Open ones may be any.
bool allowsDense(mlir::MemRefType type);

/// An array of the dense type, its open extents those of another array, its contents open.
mlir::Value allocateDense(mlir::OpBuilder &builder, mlir::Location place, mlir::MemRefType type,
                          mlir::Value sized);

/// A dense array with the shape and the contents of another one.
mlir::Value copyDensely(mlir::OpBuilder &builder, mlir::Location place, mlir::Value array);

} // namespace spindle
