// Fits scale and shift of each channel of a population to what its rectifier output.
// After Li et al., "A free lunch from ANN: towards efficient, accurate spiking neural networks
// calibration", ICML 2021 (per-channel thresholds by grid, bias correction), but on the currents of
// every step that really arrive, so that uneven arrival is part of the fit.
#pragma once

#include "lib/conversion/ann-to-snn/ConversionPlan.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <vector>

namespace spindle {

/// What is tried for each channel, in units of the plan's scale.
struct ThresholdCandidates {
  static constexpr size_t kScales = 21, kShifts = 9;
  static constexpr size_t kCount = 192; // the last ones repeat, for whole vectors
  using Row = std::array<float, kCount>;

  explicit ThresholdCandidates(int64_t steps);
  Row scales, shifts;
};

/// Candidates are pairs of a scale and a shift. `read` may be called from several threads for
/// different samples; results do not depend on their order.
class ThresholdSearch {
public:
  /// `plan` says the scales the currents are in units of; `samples` how many will be read.
  ThresholdSearch(const LayerPlan &plan, const ConversionOptions &options, size_t samples);

  /// `currents`: steps × neurons in units of the scale. `activations`: neurons, of the ANN.
  void read(size_t sample, llvm::ArrayRef<float> currents, const float *activations);

  /// `plan` with the scale and shift of least squared error for each channel. A channel that is
  /// silent everywhere keeps its own.
  LayerPlan best() const;

private:
  const LayerPlan &start;
  const ConversionOptions &options;
  ThresholdCandidates candidates;
  size_t channels, perChannel; // neurons
  size_t stride;               // neurons between those of a channel that are looked at
  std::vector<float> errors;   // samples × channels × candidates
};

} // namespace spindle
