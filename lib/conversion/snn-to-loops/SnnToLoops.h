// Spiking networks in fixed point become programs in loop form, which hw/hls makes circuits of.
#pragma once

#include "core/support/Error.h"
#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "lib/conversion/snn-to-loops/LoopProgram.h"

namespace spindle {

/// The function @main of the network as a function of arrays with the same spikes in every step:
/// one nest per layer, for all steps. Encoders are its arguments: their spikes come from outside.
/// The context needs affine, arith, func, memref and hls. Errors name the layer: operations without
/// a form in integers, weights that are none, lanes that do not fit.
llvm::Expected<LoopProgram> snnToLoops(mlir::ModuleOp network, const CircuitOptions &options);

/// Reads `dense1:64`, lanes of a layer, or `dense1:64x4`, with inputs at a time.
llvm::Error readLayerOption(const std::string &text, CircuitOptions &options);

} // namespace spindle
