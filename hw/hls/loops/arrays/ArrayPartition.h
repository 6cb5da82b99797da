// Arrays in several banks, each with ports of its own.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace spindle::hls {

/// How one dimension is divided: not at all; into `factor` blocks of ceil(extent / factor)
/// neighbours; element i into bank i mod factor; every element for itself.
struct DimensionSplit {
  enum Kind { None, Block, Cyclic, Complete } kind = None;
  int64_t factor = 1; // of Block and Cyclic
  bool operator==(const DimensionSplit &) const = default;
};

/// One entry per dimension. Banks are numbered row-major over the dimensions, and so are the words
/// of a bank.
using ArrayPartition = llvm::SmallVector<DimensionSplit>;

int64_t banksOf(const DimensionSplit &partition, int64_t extent);
int64_t banksOf(const ArrayPartition &partition, llvm::ArrayRef<int64_t> shape);

/// `[{factor = 4 : i64, kind = "cyclic"}, {kind = "none"}]`, the attribute `hls.partition` of a
/// function's argument or of an allocation.
mlir::ArrayAttr toAttribute(const ArrayPartition &partition, mlir::MLIRContext *context);

/// None where the attribute is no partition of an array of this rank.
std::optional<ArrayPartition> readPartition(mlir::Attribute attribute, size_t rank);

/// Where element `index` of a dimension lies: bank, and word inside it.
std::pair<int64_t, int64_t> placeOf(const DimensionSplit &partition, int64_t extent, int64_t index);

/// The bank of a subscript where it is the same in every iteration: the residue or quotient is
/// constant by affine arithmetic, or the range of the subscript stays in one bank. None where that
/// cannot be proved.
std::optional<int64_t> bankOf(const DimensionSplit &partition, int64_t extent,
                              mlir::AffineExpr subscript, mlir::AffineMap map,
                              mlir::ValueRange operands);

/// The bank of an affine load or store (any other access has none).
std::optional<int64_t> bankOf(const ArrayPartition &partition, mlir::Operation *access);

/// The banks that an access may reach: one where it has one, otherwise those of all subscripts
/// whose bank changes.
llvm::SmallVector<int64_t> banksReached(const ArrayPartition &partition, mlir::Operation *access);

} // namespace spindle::hls
