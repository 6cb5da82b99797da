// Extents that follow from others, written in the types.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// The tensor or array `value` with the extents of `type`.
mlir::Value makeShapeCast(mlir::OpBuilder &builder, mlir::Location location, mlir::Type type,
                          mlir::Value value);

/// Extents known at the arguments are carried through all operations, conditions and loops to the
/// results, by the casts from known extents to open ones that stand between them; open arguments
/// get the extents that they are cast to. Functions with calls are not looked into.
/// Refuses a loop that carries tensors of another shape from one iteration to the next.
mlir::LogicalResult refineShapes(mlir::ModuleOp module);

} // namespace spindle
