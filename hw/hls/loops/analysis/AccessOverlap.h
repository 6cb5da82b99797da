// Whether two accesses of one array touch the same element when they run in one iteration.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"

#include <optional>

namespace spindle::hls {

enum class Overlap { Same, Different, Unknown };

/// The array of an affine or memref load or store; null for other operations.
mlir::Value arrayOf(mlir::Operation *access);

/// Whether the operation stores into the array that `arrayOf` names.
bool isStoreAccess(mlir::Operation *access);

/// What an affine load or store of any kind reads or writes; none for other operations.
std::optional<mlir::affine::AffineValueMap> subscriptsOf(mlir::Operation *access);

/// Both accesses with the values that their operands have now. Different arrays are Different.
Overlap overlapOf(mlir::Operation *a, mlir::Operation *b);

} // namespace spindle::hls
