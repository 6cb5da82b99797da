// Conversion with thresholds and biases fitted layer by layer to the ANN on a calibration set.
#pragma once

#include "lib/conversion/ann-to-snn/AnnToSnn.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace spindle {

/// Receives the current of every step of one calibration sample, step-major: steps × neurons.
using SampleCurrents = llvm::function_ref<void(size_t sample, llvm::ArrayRef<float> currents)>;

/// What calibration asks of an emulator: the currents into the population of this layer name, on
/// every calibration sample, for as many steps as the options say.
using CurrentSource = llvm::function_ref<llvm::Error(mlir::ModuleOp snn, const std::string &layer,
                                                     SampleCurrents reader)>;

/// Converts with the scales of `planFromActivations`, then goes through the layers in order: with
/// all layers before it settled, emulates what arrives at a population, and gives each channel the
/// threshold and the shift with which its rates come closest to the ANN's activations. The last
/// layer's shift makes the mean answers equal. `activations` are those of the calibration samples.
llvm::Expected<SpikingNetwork> calibrate(mlir::ModuleOp ann, const Activations &activations,
                                         const ConversionOptions &options, CurrentSource currents);

} // namespace spindle
