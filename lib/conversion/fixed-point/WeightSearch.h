// The fewest bits of weights, layer by layer, that keep the accuracy.
#pragma once

#include "lib/conversion/fixed-point/FixedPointNetwork.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace spindle {

/// A layer whose weights are narrowed.
struct WeightedLayer {
  std::string name;
  uint64_t weights = 0;
};

/// The named layers with weights of a network, in order, once linear operations are merged.
std::vector<WeightedLayer> weightedLayers(mlir::ModuleOp network);

/// What rounding costs, in points of accuracy on the samples that judge.
struct WeightLoss {
  double points = 0, margin = 0; // the true loss is points + margin or less, 95 % sure
};

struct WeightSearch {
  std::map<std::string, int64_t> bitsOf;
  WeightLoss loss;
  uint64_t tried = 0; // networks
  bool proven = true; // else the judge has too few samples, and weights have 16 bits
};

using WeightJudge =
    llvm::function_ref<llvm::Expected<WeightLoss>(const std::map<std::string, int64_t> &bitsOf)>;

/// Widths within the loss are those where `points + margin` is at most `maxLoss`. First the fewest
/// bits, one number for all layers, that are within it (2, 3, … 16). From two bits more the layers
/// are narrowed: in each round every open layer is tried one bit narrower, those beyond the loss
/// are closed, and of the others the one that loses least is taken, on a tie the one of most
/// weights. The narrower of both in the mean over all weights is the answer.
llvm::Expected<WeightSearch> searchWeightBits(const std::vector<WeightedLayer> &layers,
                                              double maxLoss, WeightJudge judge);

} // namespace spindle
