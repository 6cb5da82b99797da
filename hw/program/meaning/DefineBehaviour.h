// Operations whose result LLVM leaves open, or computes in its own way, are given one meaning.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace spindle::hls {

/// - flags that allow other roundings, or forbid overflow, are taken away;
/// - x / 0 has all bits set and x mod 0 = x; the least integer by -1 is itself, remainder 0;
/// - shifts by the width or more leave zeros, or signs;
/// - a float that no integer holds becomes the least integer of 32 or 64 bits, cut to the result;
/// - maxnumf and minnumf of a number and NaN are the number, of two zeros the first;
/// - exp, exp2, log, log2, powf, tanh, erf, sin and cos become calls of the functions
/// in MathSymbols.h.
void defineBehaviour(mlir::ModuleOp module);

} // namespace spindle::hls
