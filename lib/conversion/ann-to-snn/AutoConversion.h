// The cheapest conversion that loses no more accuracy than the user allows.
#pragma once

#include "lib/conversion/ann-to-snn/Calibration.h"

namespace spindle {

/// How a spiking network did on the samples that judge.
struct ConversionScore {
  std::vector<uint64_t> correctByStep; // answers right when stopped after step 1, 2, …
  double spikesPerSample = 0;          // over all steps
};

/// What judges conversions: samples that no conversion was fitted to.
struct ConversionJudge {
  uint64_t samples = 0;
  uint64_t annCorrect = 0; // of them
  /// Emulates a network for so many steps.
  std::function<llvm::Expected<ConversionScore>(mlir::ModuleOp snn, int64_t steps)> score;
};

/// Tries plain conversions over percentile, scales per channel or layer, and initial membrane, each
/// stopped at the first step from which on it is good enough; then calibrated ones for fewer steps
/// than the best of them (powers of two). Takes the one with the fewest spikes per sample among
/// those whose loss, one standard deviation added, is at most `options.maxLoss` points in at most
/// `options.steps` steps; where the judge has too few samples for that, all steps are spent and the
/// one of least loss is taken. The result's summary says which it is and for how many steps.
/// `source` gives signals for the steps of the options it is called with. Errors: nothing is within
/// the loss; the message names the best.
llvm::Expected<SpikingNetwork>
convertAutomatically(mlir::ModuleOp ann, const Activations &activations,
                     const ConversionOptions &options,
                     llvm::function_ref<llvm::Error(mlir::ModuleOp network, const SignalTap &tap,
                                                    int64_t steps, SignalReader)>
                         source,
                     const ConversionJudge &judge);

} // namespace spindle
