// The pass convert-ann-to-snn.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/conversion/ann-to-snn/ConversionOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spindle {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/conversion/ann-to-snn/Passes.h.inc"

} // namespace spindle
