// Conversion with weights, thresholds and biases fitted layer by layer to the ANN.
#pragma once

#include "core/network/SignalTap.h"
#include "lib/conversion/ann-to-snn/AnnToSnn.h"

namespace spindle {

/// What calibration asks of an emulator: the signal at a tap, on every calibration sample, for as
/// many steps as the options say.
using SignalSource =
    llvm::function_ref<llvm::Error(mlir::ModuleOp network, const SignalTap &tap, SignalReader)>;

/// Converts with the scales of `planFromActivations`, then goes through the layers in order, with
/// all layers before settled and emulated: weights are fitted to the rates that arrive (with
/// `options.fitWeights`), then each channel gets the threshold and the shift with which its rates
/// come closest to the ANN's activations. The last layer's shift makes the mean answers equal.
/// `activations` are those of the calibration samples.
llvm::Expected<SpikingNetwork> calibrate(mlir::ModuleOp ann, const Activations &activations,
                                         const ConversionOptions &options, SignalSource source);

} // namespace spindle
