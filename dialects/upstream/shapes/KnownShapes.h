// Shapes of tensors and arrays of which some extents are known.
#pragma once

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace spindle::upstream {

using Shape = llvm::SmallVector<int64_t>;

/// The type of a tensor of known rank, or of such an array in row-major order; else null.
mlir::ShapedType shapedTypeOf(mlir::Value value);

/// The shape of such a value before it was cast to open extents.
std::optional<Shape> shapeOf(mlir::Value value);

/// What is known of either; nothing where they differ.
std::optional<Shape> joined(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// What is known of both.
Shape common(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// Whether an extent of a shaped type is not known.
bool isOpen(mlir::Type type);

} // namespace spindle::upstream
