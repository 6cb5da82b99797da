// MLIR's canonicalizer without what changes results: two roundings made one, numbers cut to fewer
// bits and taken for whole again, and what it concludes of loops that never run and of remainders
// (dialects/affine).
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace spindle {

std::unique_ptr<mlir::Pass> createExactCanonicalizer();

} // namespace spindle
