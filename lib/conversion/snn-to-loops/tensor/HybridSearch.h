// `as: auto`: which layers of a network spike and which are tensor kernels.
#pragma once

#include "lib/conversion/snn-to-loops/lanes/ChooseLanes.h"

#include "mlir/IR/OwningOpRef.h"

namespace spindle {

/// A network in integers of which some layers stay tensors.
struct HybridTrial {
  mlir::OwningOpRef<mlir::ModuleOp> network;
  double loss = 0;       // points of accuracy below the ANN
  SpikeRates rates = {}; // of its populations
  int64_t steps = 0;     // of a run; none: those of the options
};
/// Converts and judges a network; an error says that there is none with these tensor layers.
using TryHybrid =
    std::function<llvm::Expected<HybridTrial>(const std::vector<std::string> &tensor)>;

struct HybridQuestion {
  std::vector<std::string> layers; // those with weights, in their order
  bool readsPixels = true;         // under direct coding the first layers may be tensors, too
  double maxLoss = 0;              // points
  double products = 1;             // at a time that a DSP block of the budget may have
};

struct Hybrid {
  std::vector<std::string> tensor;              // of `conversion.tensor`
  CircuitOptions options;                       // with the kind and lanes of every layer
  double cycles = 0;                            // per sample, as the objective has it
  double loss = 0;                              // points
  hls::DeviceArea area;                         // the estimate
  size_t tried = 0, tooLossy = 0, tooLarge = 0; // divisions
};

/// Some first layers tensors, some that spike, the others tensors again: of all such divisions with
/// at most `maxLoss` points lost, the one whose circuit takes the fewest cycles within
/// `options.budget`. Tensor kernels have the fewest products at a time with which they are no
/// slower than what spikes. Divisions are measured in the order of the cycles that their spikes and
/// products need at least, until none can be better. A layer that `options.layers` names as a
/// tensor is one in all of them; lanes that it names hold where a layer spikes. Errors: none is
/// left, with how many were tried and why; where none has a circuit, why the first one has none.
llvm::Expected<Hybrid> chooseHybrid(const HybridQuestion &question, const CircuitOptions &options,
                                    const TryHybrid &tryHybrid, const MeasureCircuit &measure);

} // namespace spindle
