// In which bank of a divided array an access lies.
#pragma once

#include "dialects/hls/Partition.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace spindle::hls {

/// The bank of a subscript where it is the same in every iteration: the residue or quotient is
/// constant by affine arithmetic, or the range of the subscript stays in one bank. None where that
/// cannot be proved.
std::optional<int64_t> bankOf(const DimensionPartition &partition, int64_t extent,
                              mlir::AffineExpr subscript, mlir::AffineMap map,
                              mlir::ValueRange operands);

/// The bank of an affine load or store (any other access has none).
std::optional<int64_t> bankOf(const ArrayPartition &partition, mlir::Operation *access);

/// The banks that an access may reach: one where it has one, otherwise those of all subscripts
/// whose bank changes.
llvm::SmallVector<int64_t> banksReached(const ArrayPartition &partition, mlir::Operation *access);

} // namespace spindle::hls
