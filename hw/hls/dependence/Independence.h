// Loops whose iterations are said not to meet (`hls.independent`).
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// Whether a loop has the attribute.
bool isIndependent(mlir::affine::AffineForOp loop);

/// Whether an iteration of a loop may touch what another one writes in `array`, for all that is
/// said of it.
bool mayCarry(mlir::affine::AffineForOp loop, mlir::Value array);

/// Whether loops of a perfect nest are said to be independent in vain when all of them become one
/// pipeline: outer ones, of which nothing is said, would carry dependences through accesses whose
/// addresses are data from one flattened iteration to the next.
bool areClaimsLost(llvm::ArrayRef<mlir::affine::AffineForOp> nest);

/// Takes what is said of a loop back: it is to do more, or in another order, than was meant.
void dropIndependence(mlir::Operation *loop);

} // namespace spindle::hls
