// Floating-point numbers of 16 bits in compiled code.
#pragma once

#include "dialects/jit/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle::hls {

/// Operations of arith and math on f16 and bf16 become those on f32 between calls that widen and
/// round: what a processor or a library makes of halves differs from one machine to the next, and
/// f32 has the digits that make two roundings one. Integers are rounded once, f64 too.
void defineHalves(mlir::ModuleOp module);

/// The functions that it calls, and one that LLVM does for bf16.
std::vector<jit::Callee> halfCallees();

} // namespace spindle::hls
