// The way of integers from spikes and quantised inputs to populations.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::snn {

/// Whether what `op` makes counts the same unit as what it reads; with `direct` also direct
/// encoding, and maxima of activations.
bool passesUnit(mlir::Operation *op, bool direct);

/// For each element that such an operation makes, an element that it is made from.
LinearMap sourcesOfView(mlir::Operation *view);

/// Averages, and views after them, get one reader each; spikes that join currents with weights get
/// an snn.scale of ones, so that all of a sum has weights.
void prepareIntegerPaths(mlir::func::FuncOp function);

} // namespace spindle::snn
