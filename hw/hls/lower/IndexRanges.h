// How large the indices of a pipeline become, and so how many bits they need.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/lower/kernel/LoopNest.h"
#include "hw/hls/ranges/ValueRanges.h"

namespace spindle::hls {

/// Ranges of values: of indices from the bounds of the counters, of other integers from what the
/// operations say.
class IndexRanges {
public:
  explicit IndexRanges(KernelOp kernel);

  /// Of an index; of 32 bits where nothing is known.
  IntegerRange of(mlir::Value index) const;
  /// Bits of two's complement that hold the whole range, or of an unsigned number where it has no
  /// negative ones.
  unsigned widthOf(mlir::Value index) const;
  bool isSigned(mlir::Value index) const { return of(index).least < 0; }
  /// Of any integer: bits of two's complement, with a sign bit always.
  unsigned signedBitsOf(mlir::Value value) const;

private:
  void addCounters(const NestBounds &bounds, mlir::ValueRange counters);

  mutable ValueRanges ranges; // found when asked for
};

/// The bounds of a pipeline or a repeat, as those of a loop nest.
NestBounds boundsOf(PipelineOp pipeline);
NestBounds boundsOf(RepeatOp repeat);

} // namespace spindle::hls
