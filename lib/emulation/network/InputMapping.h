// How the values of a sample are arranged for the input of a network.
#pragma once

#include "core/network/Samples.h"
#include "lib/emulation/network/Network.h"

namespace spindle {

class InputMapping {
public:
  /// Accepts samples of the network's shape (extents of one aside), any sample of as many values
  /// where the network wants a vector, and images where it wants channels last. Recorded events fit
  /// a network that reads its input by an encoder of events, and no other one. Refuses empty sets.
  static llvm::Expected<InputMapping> match(const Network &network, const Samples &samples);

  /// Copies one sample in the network's order; `values` has room for network.inputs().
  void copy(const float *sample, float *values) const;

  /// The events of one sample, elements in the network's order.
  std::vector<InputEvent> events(const Samples &samples, size_t index) const;

private:
  size_t channels = 1, pixels = 0; // one channel: the same order
};

/// Refuses labels for which the network has no output.
llvm::Error checkLabels(const Network &network, const Samples &samples);

} // namespace spindle
