// Loop form as C++ for HLS tools.
#pragma once

#include "core/support/Error.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace spindle::hls {

/// One `extern "C"` function over plain arrays and scalars with the name, the order of arguments
/// and the result of `function`; loops stay loops, subscripts affine expressions, carried values
/// variables. Integers wrap around. A loop with `hls.interval` gets a pipeline pragma. Input errors
/// with the place of what C++ is not written for: other operations and types, several results.
llvm::Expected<std::string> printCpp(mlir::func::FuncOp function);

/// `file:line:column` of an operation; empty where its location is another one.
std::string sourcePlace(mlir::Operation *op);

} // namespace spindle::hls
