// The percentile that the thresholds of a narrow network are searched from.
#pragma once

#include "lib/conversion/ann-to-snn/calibration/Calibration.h"

namespace spindle {

/// Whether some hidden layer has so few neurons that the start matters, in a network so small that
/// several calibrations take little time.
bool isNarrow(const Activations &activations);

/// How many calibration samples a spiking network answers otherwise than the ANN.
using AnswerComparison = llvm::function_ref<llvm::Expected<uint64_t>(mlir::ModuleOp snn)>;

/// Calibrates from the percentile of `options` and from 99, 90 and 80. Takes the network that
/// answers the fewest samples otherwise than the ANN, of equal ones the first; it says where it
/// started. The least error of each layer by itself is not the least loss: with few neurons in a
/// layer, the clipping that a low start allows may cost less than the rounding that it saves.
llvm::Expected<SpikingNetwork> calibrateFromBestStart(mlir::ModuleOp ann,
                                                      const Activations &activations,
                                                      const ConversionOptions &options,
                                                      SignalSource source,
                                                      AnswerComparison differs);

} // namespace spindle
