// Every spike of the recorded samples, and the counts of every neuron over all samples.
#pragma once

#include "core/network/Population.h"
#include "core/support/Error.h"

namespace spindle {

struct SpikeTrace {
  std::vector<Population> populations;
  uint32_t steps = 0;                       // length of every sample
  uint32_t maxSpikes = 1;                   // most spikes of a neuron in one step
  double stepMs = 1.0;                      // duration of a step in ms
  std::vector<std::vector<Spike>> recorded; // per sample, ascending, repeated up to maxSpikes
  uint64_t samples = 0;                     // emulated, of which recorded.size() are recorded
  std::vector<uint64_t> counts;             // per neuron, over all `samples`

  bool operator==(const SpikeTrace &) const = default;
};

/// Populations contiguous, spikes ascending and inside steps and neurons, none repeated more than
/// maxSpikes times, counts at least the recorded.
llvm::Error verify(const SpikeTrace &trace);

/// HDF5, SONATA spikes layout (docs/formats/spikes.md): per population `timestamps` (ms, the end of
/// the step: (step + 1) · stepMs) and `node_ids`; each sample is a slice given by `sample_offsets`.
/// Rates in Hz follow from the counts and are left out when it is read.
llvm::Error writeSpikeTrace(const std::string &path, const SpikeTrace &trace);
llvm::Expected<SpikeTrace> readSpikeTrace(const std::string &path);

} // namespace spindle
