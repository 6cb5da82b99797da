// What a placed network sends in a step: packets between tiles, and work inside them.
#pragma once

#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "lib/sdf/placed/StepNetwork.h"

#include <map>

namespace spindle {

/// Something that a crossbar works: a row, or so many partial sums.
struct CrossbarJob {
  ClusterId cluster;
  SynapsesByKind<uint32_t> synapses;
  uint32_t sums = 0; // 0: a row
};

/// A packet, or what stays in its tile, with what it brings: jobs first … last − 1.
struct Sending {
  TileId source = 0, target = 0;      // or a tree; the same tile twice: it stays there
  bool isTree = false, isMade = true; // made: takes its time to leave a column
  uint32_t first = 0, last = 0;
};

/// By the rules of the chip simulation (sim/model/StepSimulation.h), made once for all steps.
class PlacedTraffic {
public:
  /// All of them outlive it. The trees that spikes take are added to `mesh`.
  PlacedTraffic(const Clustering &clustering, const Mapping &mapping, const Chip &chip,
                StepNetwork &mesh);

  /// Of a spike, in the order in which its packets leave.
  llvm::ArrayRef<Sending> sendings(NeuronId neuron) const {
    return llvm::ArrayRef(spikes).slice(offsets[neuron], offsets[neuron + 1] - offsets[neuron]);
  }
  llvm::ArrayRef<CrossbarJob> jobs(const Sending &sending) const {
    return llvm::ArrayRef(allJobs).slice(sending.first, sending.last - sending.first);
  }
  /// What the target with this place of a tree gets of a sending.
  llvm::ArrayRef<CrossbarJob> jobs(const Sending &sending, uint32_t target) const;
  /// Packets of a spike, those inside its tile included.
  uint32_t packetsOf(NeuronId neuron) const;

  UnitId home(NeuronId neuron) const { return homes[neuron]; }
  TileId tile(ClusterId cluster) const { return mapping.placements[cluster].tile; }
  uint64_t tilesInUse() const;

private:
  void collect(ClusterId from, llvm::ArrayRef<CrossbarJob> jobs);
  void joinPackets(size_t first, std::map<std::pair<TileId, std::vector<TileId>>, uint32_t> &trees);

  const Mapping &mapping;
  const Chip &chip;
  StepNetwork &mesh;
  std::vector<UnitId> homes;   // per neuron: that spikes; kNone: the host's
  std::vector<size_t> offsets; // per neuron, then the end: of …
  std::vector<Sending> spikes;
  std::vector<CrossbarJob> allJobs;
  std::vector<std::vector<TileId>> treeTargets; // per tree
};

} // namespace spindle
