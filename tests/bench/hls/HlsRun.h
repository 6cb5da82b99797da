// One kernel of the benchmark through `spindle synth` and `spindle cosim`.
#pragma once

#include "tests/bench/hls/HlsSets.h"

#include "core/kernel/KernelArea.h"

#include <optional>

namespace spindle::bench {

struct HlsMeasurement {
  uint64_t cycles = 0; // simulated
  std::optional<uint64_t> predictedCycles;
  uint64_t mismatches = 0;
  unsigned multipliers = 0, adders = 0; // units of the design
  uint64_t interval = 1;                // of the pipeline in which most cycles go by
  std::string limit;                    // why that is not smaller
  std::optional<hls::KernelArea> area;
};

/// Writes everything below `folder`. Errors: what synth, cosim or area says.
llvm::Expected<HlsMeasurement> runHls(const HlsEntry &entry, const std::string &folder,
                                      bool withArea);

} // namespace spindle::bench
