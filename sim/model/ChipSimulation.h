// Stage: recorded spikes of a mapped network → what happens on the chip.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/run/Progress.h"

namespace spindle {

struct SpikeTrace;

class YamlReader;

struct ChipOptions {
  uint32_t samples = 10; // recorded samples to simulate, or as many as there are
  bool operator==(const ChipOptions &) const = default;
};

/// Reads `samples`.
void readChipOptions(YamlReader &reader, ChipOptions &options);

/// Simulates the first recorded samples, one after the other, step by step (StepSimulation.h):
/// cycles, packets and their latency, link loads, events per tile, energy by part. The time is
/// proportional to spikes × destinations × hops. Progress counts steps.
llvm::Expected<ChipStats> simulateChip(const Clustering &clustering, const Mapping &mapping,
                                       const SpikeTrace &trace, const Chip &chip,
                                       const ChipOptions &options, const Progress &progress = {});

} // namespace spindle
