// Passes from the snn dialect to itself.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spindle::snn {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dialects/snn/transforms/Passes.h.inc"

} // namespace spindle::snn
