// Where an element of a partitioned array lies.
#pragma once

#include "dialects/hls/Hls.h"

#include "mlir/IR/AffineMap.h"

namespace spindle::hls {

/// The word inside its bank as one affine expression of the subscripts' inputs. Per dimension: none
/// i; block i mod s, s elements per bank; cyclic i floordiv factor; complete 0; words are numbered
/// row-major.
mlir::AffineMap addressMap(MemoryOp memory, mlir::AffineMap subscripts);

/// The bank as one affine expression: none 0; block i floordiv s; cyclic i mod factor; complete i;
/// banks are numbered row-major.
mlir::AffineMap bankMap(MemoryOp memory, mlir::AffineMap subscripts);

/// The banks that an access may reach: in a dimension whose bank is not always the same, all of
/// them.
llvm::SmallVector<int64_t> reachableBanks(MemoryOp memory, mlir::AffineMap subscripts);

} // namespace spindle::hls
