// When the samples of a stream went into a circuit, and when their answers came out.
#pragma once

#include "core/network/HardwareNetwork.h"

namespace spindle::hls {

/// Cycles from the start of the run on.
struct SampleMoments {
  uint64_t firstWord = 0; // of the input
  uint64_t answer = 0;    // its last word
  uint64_t latency() const { return answer - firstWord; }
  bool operator==(const SampleMoments &) const = default;
};

/// `streamCycles`: when each token moved, by argument (CosimResult, Interpretation). Empty where
/// tokens are missing, or where there are no streams.
std::vector<SampleMoments> momentsOf(const std::vector<HardwareArray> &arrays,
                                     const std::vector<std::vector<uint64_t>> &streamCycles,
                                     size_t samples);

} // namespace spindle::hls
