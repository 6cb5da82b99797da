// Scales and shifts a signal at the place where it costs nothing: in the weights that make it.
#pragma once

#include "dialects/snn/Snn.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <vector>

namespace spindle {

/// What a synapse operation makes of one number per element of its source `source` that its outputs
/// take over from the inputs they read; none where inputs of one output differ. Elements without
/// inputs get 0.
std::optional<std::vector<float>> passForward(snn::SynapseOp op, unsigned source,
                                              const std::vector<float> &values);

/// The number of the output for each input that an output reads; none where outputs of one input
/// differ. Elements that nobody reads get 1.
std::optional<std::vector<float>> passBackward(snn::SynapseOp op, unsigned source,
                                               const std::vector<float> &values);

/// A factor of one for each element of `value`.
inline std::vector<float> ones(mlir::Value value) {
  return std::vector<float>(size_t(snn::sizeOf(value)), 1);
}

/// factor · value + shift, per element; an empty shift is none. Stands right after `value`.
mlir::Value makeScale(mlir::Value value, const std::vector<float> &factor,
                      const std::vector<float> &shift);

/// Edits signals of a network under construction. Values in `shared` have other consumers, so that
/// what makes them stays as it is.
class SignalEditor {
public:
  explicit SignalEditor(const llvm::DenseSet<mlir::Value> &sharedValues) : shared(sharedValues) {}

  /// `value` times one factor per element: the same value with weights changed before it, or that
  /// of a new snn.scale. Spikes become current.
  mlir::Value multiply(mlir::Value value, const std::vector<float> &factor) const;
  /// `value` plus one number per element, likewise.
  mlir::Value add(mlir::Value value, const std::vector<float> &shift) const;

private:
  bool reachesWeights(mlir::Value value) const;
  mlir::Value addToBias(snn::SynapseOp op, const std::vector<float> &shift) const;

  const llvm::DenseSet<mlir::Value> &shared;
};

} // namespace spindle
