// Layouts of the arrays that a function exchanges with its caller.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle {

/// Arrays that a function takes or gives lose their layout where it allows row-major order without
/// gaps: such strides, or open ones, which the caller chooses. Other arguments stay as they are;
/// other results are copied into arrays without a layout.
void exchangeDenseArrays(mlir::func::FuncOp function);

} // namespace spindle
