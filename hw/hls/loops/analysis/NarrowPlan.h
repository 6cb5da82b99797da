// How few bits the operations of a program could have.
#pragma once

#include "hw/hls/loops/analysis/DemandedBits.h"
#include "hw/hls/ranges/ValueRanges.h"

namespace spindle::hls {

/// A number in fewer bits than its type has: what stands above them is its sign, or zeros.
struct NarrowForm {
  unsigned bits;
  bool isSigned;
};

/// The fewest bits for all numbers of a range.
NarrowForm narrowFormOf(const mlir::ConstantIntRanges &range);

/// What is to become of an operation: operands and result of `bits`.
struct NarrowPlan {
  mlir::Operation *op;
  unsigned bits;
  bool isSigned;   // how the result is extended again
  bool isUnsigned; // a comparison of numbers without signs
};

/// For an operation with one integer result. Absent where it needs all of its bits.
std::optional<NarrowPlan> narrowPlanFor(mlir::Operation *op, ValueRanges &ranges,
                                        const DemandedBits &demanded);

} // namespace spindle::hls
