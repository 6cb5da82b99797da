// Arithmetic on signed integers of any width, in a nest.
#pragma once

#include "lib/conversion/snn-to-loops/LayerNest.h"

namespace spindle::snn_to_loops {

struct IntegerMath {
  ProgramBuilder &program;
  const NestPoint &point;

  /// Sign-extended, cut or unchanged.
  mlir::Value resize(mlir::Value value, unsigned bits) const;
  mlir::Value constant(mlir::Value like, int64_t value) const;
  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value subtract(mlir::Value a, mlir::Value b) const;
  /// value · factor in the value's own width, by shifts and sums: no multiplier.
  mlir::Value scale(mlir::Value value, int64_t factor) const;
  /// value / 2^bits, towards zero.
  mlir::Value divide(mlir::Value value, unsigned bits) const;
  /// The product of two variables in so many bits, which hold it.
  mlir::Value multiply(mlir::Value a, mlir::Value b, unsigned bits) const;
  mlir::Value clamp(mlir::Value value, int64_t least, int64_t most) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  mlir::Value isAtLeast(mlir::Value a, mlir::Value b) const;
};

} // namespace spindle::snn_to_loops
