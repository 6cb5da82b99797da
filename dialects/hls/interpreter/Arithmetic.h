// What operations on numbers compute, as our hardware does it.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"

#include <cstdint>
#include <functional>

namespace spindle::hls {

/// The functions for which hardware and golden values follow one model instead of the host.
struct ElementaryFunctions {
  float (*exp32)(float) = nullptr;
  double (*exp64)(double) = nullptr;
  float (*pow32)(float, float) = nullptr;
  double (*pow64)(double, double) = nullptr;
  float (*log32)(float) = nullptr;
  double (*log64)(double) = nullptr;
};

/// From the bits of the operands, zero above their types, to those of the result. An index has 64.
using Function = std::function<uint64_t(const uint64_t *operands)>;

/// The function of an operation of affine, arith or math; null where hardware has none. IEEE 754
/// with round to nearest even and canonical NaN; where arith leaves a result open, what the units
/// make: division by zero, shifts by more than the width, floats that no integer holds
/// (docs/rationale/cosim.md).
Function functionOf(mlir::Operation *op, const ElementaryFunctions &elementary);

/// Of an expression without symbols, whose divisors are positive; 64 bits, which wrap.
int64_t valueOf(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dimensions);

/// Bits of a value: 64 for an index.
unsigned widthOf(mlir::Type type);

} // namespace spindle::hls
