// How much of each integer matters.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <optional>

namespace spindle::hls {

/// How many low bits of each value matter to those who use it: of a sum that is cut, those that are
/// left. `inOrder` has all operations of a function in loop form, from front to back.
class DemandedBits {
public:
  explicit DemandedBits(llvm::ArrayRef<mlir::Operation *> inOrder);

  /// At least one.
  unsigned of(mlir::Value value) const { return std::max(1u, demanded.lookup(value)); }

private:
  unsigned of(mlir::OpOperand &operand) const;

  llvm::DenseMap<mlir::Value, unsigned> demanded;
};

/// The distance of a shift where it is a constant below `bits`.
std::optional<unsigned> fixedShift(mlir::Operation *op, unsigned bits);

} // namespace spindle::hls
