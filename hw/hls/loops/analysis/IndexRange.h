// The values an affine expression takes, as an interval.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace spindle::hls {

/// All integers from lowest to highest.
struct IndexRange {
  int64_t lowest, highest;
  bool operator==(const IndexRange &) const = default;
};

/// The range of an index: a constant, an induction variable (of a loop that runs at least once;
/// bounds may depend on outer ones) or an affine.apply of such. None where nothing bounds it.
/// Interval arithmetic: every value lies in the range, not every number of it need be taken.
std::optional<IndexRange> rangeOf(mlir::Value index);

/// The range of an expression over operands: dimensions first, then symbols.
std::optional<IndexRange> rangeOf(mlir::AffineExpr expression, unsigned dimensions,
                                  mlir::ValueRange operands);

/// The most iterations a loop of step 1 can run, none where nothing bounds it.
std::optional<int64_t> largestTripCount(mlir::affine::AffineForOp loop);

} // namespace spindle::hls
