// What conversion asks of an emulation, which it does not know.
#pragma once

#include "core/network/Activations.h"
#include "core/network/Evaluation.h"
#include "core/network/Samples.h"
#include "core/network/SignalTap.h"

#include "mlir/IR/BuiltinOps.h"

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

} // namespace spindle
