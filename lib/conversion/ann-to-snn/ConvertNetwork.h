// The policy of a conversion: which samples it is fitted to, which judge it, what is searched.
#pragma once

#include "core/network/Evaluation.h"
#include "core/network/Samples.h"
#include "core/network/SignalTap.h"
#include "lib/conversion/ann-to-snn/AnnToSnn.h"

namespace spindle {

/// What a conversion asks of an emulation. All calls see the samples in the same order.
class NetworkTrials {
public:
  virtual ~NetworkTrials() = default;

  /// The output of every snn.relu of `ann`, in order, and of its last layer.
  virtual llvm::Expected<Activations> activations(mlir::ModuleOp ann, const Samples &samples) = 0;
  /// The class that `ann` answers for each sample.
  virtual llvm::Expected<std::vector<uint32_t>> classify(mlir::ModuleOp ann,
                                                         const Samples &samples) = 0;
  /// The signal at `tap` of an ANN, or of a spiking network for `steps` steps.
  virtual llvm::Error record(mlir::ModuleOp network, const SignalTap &tap, const Samples &samples,
                             int64_t steps, SignalReader reader) = 0;
  /// Runs a spiking network for `steps` steps, of which only answers and spikes count.
  virtual llvm::Expected<EmulationSummary> emulate(mlir::ModuleOp snn, const Samples &samples,
                                                   int64_t steps) = 0;
};

/// Converts by the method of `options`, fitted to `calibration`. With `auto` the first half of the
/// samples is what conversions are fitted to and the second what judges them; a narrow network
/// whose percentile is not given is calibrated from several. Errors: `place`, the flow file, with
/// fewer than two samples under `auto`; those of the method.
llvm::Expected<SpikingNetwork> convertNetwork(mlir::ModuleOp ann, Samples calibration,
                                              const ConversionOptions &options,
                                              NetworkTrials &trials, const std::string &place);

} // namespace spindle
