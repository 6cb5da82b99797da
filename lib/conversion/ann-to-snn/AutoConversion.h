// The cheapest conversion that loses no more accuracy than the user allows.
#pragma once

#include "lib/conversion/ann-to-snn/calibration/Calibration.h"
#include "lib/conversion/trials/PairedLoss.h"

namespace spindle {

/// What judges conversions: samples that no conversion was fitted to.
struct ConversionJudge {
  uint64_t samples = 0;
  uint64_t annCorrect = 0; // of them
  /// Emulates a network for so many steps.
  std::function<llvm::Expected<ConversionScore>(mlir::ModuleOp snn, int64_t steps)> score;
};

/// Tries plain conversions over percentile, scales per channel or layer, and initial membrane, each
/// stopped at the first step from which on it is good enough; then calibrated ones over the
/// percentile they start from, for fewer steps than the best of them (powers of two). Takes the one
/// with the fewest spikes per sample among those whose loss, 1.645 standard deviations added (95
/// %), is at most `options.maxLoss` points in at most `options.steps` steps; where the judge has
/// too few samples for that, all steps are spent and the one of least loss is taken. The result's
/// summary says which it is, for how many steps, how many were tried, and which fewer steps seemed
/// enough but could not be proven to be. `source` gives signals for the steps of the options it is
/// called with. Errors: nothing is within the loss; the message names the best.
llvm::Expected<SpikingNetwork>
convertAutomatically(mlir::ModuleOp ann, const Activations &activations,
                     const ConversionOptions &options,
                     llvm::function_ref<llvm::Error(mlir::ModuleOp network, const SignalTap &tap,
                                                    int64_t steps, SignalReader)>
                         source,
                     const ConversionJudge &judge);

} // namespace spindle
