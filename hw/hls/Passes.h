// The passes from a program to its circuit.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace spindle::hls {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "hw/hls/Passes.h.inc"

} // namespace spindle::hls
