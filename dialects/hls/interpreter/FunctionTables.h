// The two halves of functionOf.
#pragma once

#include "dialects/hls/interpreter/Arithmetic.h"

namespace spindle::hls {

/// Operations on integers and indices; null for others.
Function integerFunction(mlir::Operation *op);

/// Operations on floating-point numbers, and conversions from and to them; null for others.
Function floatFunction(mlir::Operation *op, const ElementaryFunctions &elementary);

} // namespace spindle::hls
