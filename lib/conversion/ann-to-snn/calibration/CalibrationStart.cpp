#include "lib/conversion/ann-to-snn/calibration/CalibrationStart.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace spindle {

/// Neurons of the narrowest hidden layer, and of all of them.
constexpr size_t kFewNeurons = 32, kMostHidden = 1024;

bool isNarrow(const Activations &activations) {
  if (activations.layers.empty())
    return false;
  size_t all = 0, fewest = SIZE_MAX;
  for (const LayerActivations &layer : llvm::drop_end(activations.layers)) { // the answers
    auto neurons = static_cast<size_t>(
        std::accumulate(layer.shape.begin(), layer.shape.end(), int64_t(1), std::multiplies<>()));
    all += neurons;
    fewest = std::min(fewest, neurons);
  }
  return fewest <= kFewNeurons && all <= kMostHidden;
}

llvm::Expected<SpikingNetwork> calibrateFromBestStart(mlir::ModuleOp ann,
                                                      const Activations &activations,
                                                      const ConversionOptions &options,
                                                      SignalSource source,
                                                      AnswerComparison differs) {
  std::optional<SpikingNetwork> best;
  uint64_t tried = 0;
  for (double percentile : {options.percentile, 99.0, 90.0, 80.0}) {
    ConversionOptions from = options;
    from.percentile = percentile;
    SPINDLE_ASSIGN(SpikingNetwork network, calibrate(ann, activations, from, source));
    SPINDLE_ASSIGN(uint64_t differing, differs(*network.module));
    network.start = {percentile, 0, differing};
    ++tried;
    if (!best || differing < best->start->differs)
      best = std::move(network);
  }
  best->start->tried = tried;
  return std::move(*best);
}

} // namespace spindle
