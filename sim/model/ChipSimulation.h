// Stage: recorded spikes of a mapped network → what happens on the chip.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/run/Progress.h"
#include "sim/model/PacketLog.h"

namespace spindle {

struct SpikeTrace;

class YamlReader;

struct ChipOptions {
  uint32_t samples = 10; // recorded samples to simulate, or as many as there are
  bool trace = false;    // the packets are written, too
  bool operator==(const ChipOptions &) const = default;
};

/// Reads `samples` and `trace`.
void readChipOptions(YamlReader &reader, ChipOptions &options);

/// Simulates the first recorded samples, one after the other, step by step (StepSimulation.h):
/// cycles, packets and their latency, link loads, events per tile, energy by part. The time is
/// proportional to spikes × destinations × hops. Progress counts steps. The packets are added to
/// `log` where there is one.
llvm::Expected<ChipStats> simulateChip(const Clustering &clustering, const Mapping &mapping,
                                       const SpikeTrace &trace, const Chip &chip,
                                       const ChipOptions &options, const Progress &progress = {},
                                       PacketLog *log = nullptr);

} // namespace spindle
