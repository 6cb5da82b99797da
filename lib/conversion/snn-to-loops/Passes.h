// The pass snn-to-loops.
#pragma once

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace spindle::snn_to_loops {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/conversion/snn-to-loops/Passes.h.inc"

} // namespace spindle::snn_to_loops
