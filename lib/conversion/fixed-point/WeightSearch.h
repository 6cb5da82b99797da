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

/// The named layers of a network whose weights become integers, in order, once linear operations
/// are merged: all with weights, or those that work in time.
std::vector<WeightedLayer> weightedLayers(mlir::ModuleOp network, IntegerReach reach);

/// What rounding costs, in points of accuracy on the samples that judge.
struct WeightLoss {
  double points = 0, margin = 0; // the true loss is points + margin or less, 95 % sure
  bool isExpressed = true;       // else the network has no form with these widths
};

struct WeightSearch {
  std::map<std::string, int64_t> bitsOf;
  WeightLoss loss;
  uint64_t tried = 0; // networks
  bool proven = true; // else the judge has too few samples, and weights have the most bits that
                      // can be expressed
};

using WeightJudge =
    llvm::function_ref<llvm::Expected<WeightLoss>(const std::map<std::string, int64_t> &bitsOf)>;

/// Widths within the loss are those where `points + margin` is at most `maxLoss`. First the fewest
/// bits, one number for all layers, that are within it (2, 3, … 16); else the most that can be
/// expressed. From two bits more, or as many as can be expressed, the layers are narrowed: in each
/// round every open layer is tried one bit narrower, those beyond the loss are closed, and of the
/// others the one that loses least is taken, on a tie the one of most weights. Where that does not
/// take less memory than one number for all, the layers are narrowed from that number.
llvm::Expected<WeightSearch> searchWeightBits(const std::vector<WeightedLayer> &layers,
                                              double maxLoss, WeightJudge judge);

} // namespace spindle
