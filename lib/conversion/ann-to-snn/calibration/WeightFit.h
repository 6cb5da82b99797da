// Weights for the rates that really arrive: least squares from what a layer reads in the spiking
// network to what the same layer makes in the ANN, held close to the trained weights.
#pragma once

#include "dialects/snn/Snn.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace spindle {

/// A dense operation, or a convolution of one group.
bool canFitWeights(mlir::Operation *op);

/// Replaces weights and bias of `op` by those that minimise
/// Σ ‖W r + b − z‖² + ridge · n · mean(r²) · ‖W − W₀‖² over n pairs of inputs r and results z.
/// `inputs` and `results` hold the whole signals before and after `op` (samples × elements), the
/// inputs in activations; a convolution takes its pairs from some positions of each sample. Where
/// the result is `rectified`, a negative z is met by any negative value.
void fitWeights(mlir::Operation *op, llvm::ArrayRef<float> inputs, llvm::ArrayRef<float> results,
                double ridge, bool rectified);

} // namespace spindle
