// How arrays are spread over banks, and where an element lies as affine expressions.
#pragma once

#include "dialects/hls/Hls.h"

#include <optional>

namespace spindle::hls {

/// One entry per dimension.
using ArrayPartition = llvm::SmallVector<DimensionPartition>;

int64_t banksOf(const ArrayPartition &partition);

/// `[#hls.partition<cyclic 4>, #hls.partition<none>]`, the attribute `hls.partition` of a
/// function's argument or of an allocation.
mlir::ArrayAttr toAttribute(const ArrayPartition &partition, mlir::MLIRContext *context);

/// None where the attribute is no partition of an array of this shape.
std::optional<ArrayPartition> readPartition(mlir::Attribute attribute,
                                            llvm::ArrayRef<int64_t> shape);

/// Whether every dimension is divided completely: elements are registers. So is the one of rank 0.
bool isComplete(mlir::Attribute partition, mlir::MemRefType type);

/// Bank and word of `subscript` along a dimension of `extent` elements, as DimensionPartition has
/// them.
mlir::AffineExpr bankOf(const DimensionPartition &partition, int64_t extent,
                        mlir::AffineExpr subscript);
mlir::AffineExpr wordOf(const DimensionPartition &partition, int64_t extent,
                        mlir::AffineExpr subscript);

} // namespace spindle::hls
