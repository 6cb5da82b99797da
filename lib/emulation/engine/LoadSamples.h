// Fills the lanes of a batch.
#pragma once

#include "lib/emulation/InputLayout.h"
#include "lib/emulation/engine/CompiledNetwork.h"

#include <algorithm>

namespace spindle::engine {

/// Loads `count` samples from `first` on; lanes left over repeat the last one.
inline void loadSamples(Batch &batch, const Network &network, const InputLayout &layout,
                        const Samples &samples, size_t first, size_t count) {
  std::vector<float> values(network.inputs());
  for (size_t lane = 0; lane < size_t(kLanes); ++lane) {
    size_t index = first + std::min(lane, count - 1);
    if (samples.events) {
      batch.loadEvents(lane, layout.events(samples, index));
      continue;
    }
    layout.copy(samples.sample(index), values.data());
    batch.load(lane, values.data());
  }
}

} // namespace spindle::engine
