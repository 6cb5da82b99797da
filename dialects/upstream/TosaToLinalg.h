// Tosa to linalg, arith, tensor and scf, by MLIR's passes; in the place of its pipeline, which
// canonicalizes.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace spindle {

bool usesTosa(mlir::ModuleOp module);

/// For a manager of passes of modules.
void addTosaToLinalg(mlir::OpPassManager &passes);

} // namespace spindle
