// What units bring to a crossbar in single steps, as it was recorded.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

#include <span>
#include <vector>

namespace spindle {

struct SpikeTrace;

/// What a crossbar, or the port of its tile, is busy with.
enum class LoadKind : uint8_t { Reads, Updates, PortIn, PortOut };
inline constexpr LoadKind kAllLoads[] = {LoadKind::Reads, LoadKind::Updates, LoadKind::PortIn,
                                         LoadKind::PortOut};
inline constexpr size_t kLoadKinds = std::size(kAllLoads);

/// Recorded steps, each of which stands for some that are as busy. Cycles of the chip.
struct StepLoads {
  struct Spikes {
    uint32_t step, spikes; // one of `weights`
  };
  std::vector<double> weights; // steps of a sample that each stands for
  /// Per unit and step: of its synapses, without rows, which units share; of its column, with what
  /// a spike of it takes.
  std::vector<float> reads, updates;
  std::vector<uint64_t> first{0}; // per neuron, of its …
  std::vector<Spikes> spikes;     // … in those steps

  // For a spike of a neuron:
  double row = 0;           // to each crossbar that hears it
  double axon = 0;          // to its own, for each that hears it
  double portIn = 0;        // to the port of each other crossbar that hears it
  double portOut = 0;       // to its own port, for each of them, or for all together …
  double hostPortOut = 0;   // … to each port of the host, if it is the host's …
  bool isMulticast = false; // … in one packet

  size_t steps() const { return weights.size(); }
  std::span<const Spikes> spikesOf(NeuronId neuron) const {
    return {spikes.data() + first[neuron], spikes.data() + first[neuron + 1]};
  }
};

/// At most `kMostSteps`: recorded steps in the order of the synapses that they drive, cut into
/// groups of neighbours, of each the one in its middle. Requires a trace of the graph's neurons
/// with a recorded step, synapses one by one, and neurons of one unit each. O(recorded spikes ·
/// fan-out + synapses · steps).
inline constexpr size_t kMostSteps = 64;
StepLoads stepLoads(const SpikingGraph &graph, const std::vector<Unit> &units,
                    const SpikeTrace &trace, const Chip &chip);

} // namespace spindle
