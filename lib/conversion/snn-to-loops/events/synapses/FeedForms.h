// Which synapses the ways of spikes to a population become.
#pragma once

#include "lib/conversion/snn-to-loops/events/Feeds.h"
#include "lib/conversion/snn-to-loops/events/synapses/Synapses.h"

#include <optional>

namespace spindle::snn_to_loops {

/// Windows where all ways have windows of the same image, else rows of weights.
class FeedForms {
public:
  /// Errors: weights that are not constant, or no integers.
  static llvm::Expected<FeedForms> of(llvm::ArrayRef<Feed> feeds);

  /// Of windows; none where there are rows.
  std::optional<int64_t> filters() const;
  /// `layouts` has the words of each way. `weightBits` of the layer are filled in. Errors: those of
  /// the makers.
  llvm::Expected<std::unique_ptr<Synapses>> make(ProgramBuilder &program, mlir::Operation *place,
                                                 llvm::ArrayRef<SpikeWords> layouts,
                                                 HardwareLayer &layer) const;

private:
  llvm::SmallVector<Feed> feeds;
  std::vector<WindowFilters> windows; // of each way, or none
  std::vector<std::function<int64_t(int64_t neuron, int64_t input)>> weights; // likewise
  unsigned weightBits = 0;
};

} // namespace spindle::snn_to_loops
