// Which bits of the values of a circuit are wires: the others are constants.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"

namespace spindle::hls {

/// Words that are put together of shifted parts have zeros in all other places, which logic on them
/// need not look at.
class VariableBits {
public:
  /// Ones where a bit may change.
  llvm::APInt of(mlir::Value value);
  unsigned count(mlir::Value value) { return of(value).popcount(); }
  /// Bits that may change in both.
  unsigned countBoth(mlir::Value a, mlir::Value b) { return (of(a) & of(b)).popcount(); }

private:
  llvm::APInt find(mlir::Value value);
  llvm::DenseMap<mlir::Value, llvm::APInt> known;
};

} // namespace spindle::hls
