// Fills the lanes of a batch.
#pragma once

#include "lib/emulation/lanes/CompiledNetwork.h"
#include "lib/emulation/network/InputMapping.h"

#include <algorithm>

namespace spindle::lanes {

/// Loads `count` samples from `first` on; lanes left over repeat the last one.
inline llvm::Error loadSamples(Batch &batch, const Network &network, const InputMapping &mapping,
                               const Samples &samples, size_t first, size_t count) {
  std::vector<float> values(network.inputs()), room;
  const float *block = nullptr;
  if (!samples.events) {
    SPINDLE_ASSIGN(block, samples.block(first, count, room));
  }
  for (size_t lane = 0; lane < size_t(kLanes); ++lane) {
    size_t index = std::min(lane, count - 1);
    if (samples.events) {
      batch.loadEvents(lane, mapping.events(samples, first + index));
      continue;
    }
    mapping.copy(block + index * samples.size(), values.data());
    batch.load(lane, values.data());
  }
  return llvm::Error::success();
}

} // namespace spindle::lanes
