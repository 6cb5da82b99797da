// What combinational operations compute.
#pragma once

#include "dialects/rtl/Rtl.h"

namespace spindle::rtl {

/// The result of a combinational operation of a circuit (of `arith` or of this dialect) on the
/// values of its operands.
llvm::APInt evaluate(mlir::Operation *op, llvm::ArrayRef<llvm::APInt> operands);

} // namespace spindle::rtl
