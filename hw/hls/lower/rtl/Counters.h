// The counters of a flattened nest.
#pragma once

#include "hw/hls/lower/rtl/IndexArithmetic.h"

namespace spindle::hls {

/// Registers that step through the iterations of a nest, one whenever `advance` is high. In the
/// cycle after `start` they hold the first iteration.
struct Counters {
  llvm::SmallVector<Index> values; // per level, the outermost first
  mlir::Value isLast;              // the current iteration is the last one
};

/// `operands` are the values that the bounds start from; they keep their values from `start` on.
/// `names` are those of the counters, i0, i1, … without them.
Counters buildCounters(Wires &wires, const NestBounds &bounds, llvm::ArrayRef<Index> operands,
                       mlir::Value start, mlir::Value advance,
                       llvm::ArrayRef<std::string> names = {});

} // namespace spindle::hls
