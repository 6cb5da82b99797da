// How wide the sums of integer weights are: what accumulators need.
#pragma once

#include "dialects/snn/Snn.h"

#include <string>

namespace spindle::snn {

/// Up to here every integer is an f32, and sums of such are exact in any order.
inline constexpr double kExactSums = 1 << 24;

/// What a signal of integers, and every partial sum on the way to it, can be in one step. Sums
/// begin at zero, so that zero is always within.
struct IntegerRange {
  double lowest = 0, highest = 0; // of the sum itself, in whatever order it is added up
  double most = 0; // by amount, of any sum of |weights| on the way from spikes or pixels to here

  /// The width of a signed number that holds lowest and highest.
  unsigned bits() const;
  bool isExact() const { return most <= kExactSums; }
  /// `may reach 20000000, expected at most 16777216, up to which sums are exact`
  std::string excessText() const;
};

/// Where a signal is no sum of integers: a weight or bias, or what it is made from.
struct NotInteger {
  mlir::Operation *op = nullptr; // none: the input of the network
  std::string what;              // "weight", "bias"; empty where op itself makes no integers
  float value = 0;
};

/// The range of a signal made of spikes or quantised activations (snn.quantize) and integer
/// weights; weights must be constants. Recorded events count as one in a step. Fails at what is no
/// integer.
mlir::FailureOr<IntegerRange> integerRange(mlir::Value signal, NotInteger *fault = nullptr);

/// The same of the sums of a layer, for sources of these ranges.
mlir::FailureOr<IntegerRange> rangeOfSums(SynapseOp layer, llvm::ArrayRef<IntegerRange> sources,
                                          NotInteger *fault = nullptr);

/// The bits of an accumulator, with its sign, in which the sums of a layer of integer weights
/// (snn.dense, snn.conv2d, …) cannot overflow within a step, bias included, in whatever order
/// inputs come. Fails where `integerRange` does.
mlir::FailureOr<unsigned> accumulatorBits(SynapseOp layer);

} // namespace spindle::snn
