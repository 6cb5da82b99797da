// The layers whose weights snn-quantize-weights makes integers, and their units. Private to this
// folder.
#pragma once

#include "dialects/snn/Snn.h"

#include <vector>

namespace spindle::snn {

/// Averages that nothing but one reader reads: as sums they keep integers what they are, and the
/// division moves into the unit of the current.
struct Averages {
  llvm::SmallVector<AvgPool2dOp> pools;
  float window = 1; // of all of them: inputs per average

  bool areOfSpikes() { return isa<SpikeBundleType>(pools.back().getInput().getType()); }
};

/// Weights in rows, one row per channel of the output.
struct WeightedLayer {
  mlir::Operation *op;
  std::vector<float> weights, bias;
  std::vector<size_t> row; // of each weight
  size_t rows;
  std::vector<float> unit; // of each row's weights
  Averages averages;       // in front, to become sums
  float levels = 1;        // the greatest weight

  float currentUnit(size_t o) const { return unit[o] / averages.window; }
};

/// A population, the levels of a tensor layer or (neither of both) the answer of one, and the
/// layers that add up in it.
struct WeightTarget {
  NeuronOp neurons;
  QuantizeOp levels; // where these are
  std::vector<WeightedLayer> layers;
  std::vector<mlir::Operation *> views; // of a single layer, from the population to the layer
  bool hasOtherSources = false;         // spikes or currents without weights
  Averages averages = {};               // of those
};

/// Channels whose neurons cannot reach their thresholds in so many steps, whatever spikes, are as
/// silent without weights; their unit becomes one in which their thresholds are as small as those
/// of the others. In units of their own weights these would take many bits.
void silenceChannels(WeightTarget &target, unsigned steps);

} // namespace spindle::snn
