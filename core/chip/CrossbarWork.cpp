#include "core/chip/CrossbarWork.h"

namespace spindle {

std::vector<CrossbarWork> workOf(const Clustering &clustering) {
  std::vector<CrossbarWork> works;
  double steps = double(clustering.samples) * clustering.steps;
  for (const Cluster &cluster : clustering.clusters) {
    CrossbarWork &work = works.emplace_back();
    work.columnUpdates = steps * cluster.units;
    for (const Axon &axon : cluster.axons) {
      work.rowReads += double(axon.spikes);
      work.cells += double(axon.spikes) * axon.synapses;
    }
  }
  for (const ClusterLink &link : clustering.links)
    works[link.to].partialSums += double(link.partialSums);
  return works;
}

double barrierCyclesPerSample(const Chip &chip, const Clustering &clustering) {
  if (chip.synchronisation != Synchronisation::Barrier)
    return 0;
  uint64_t tiles = (clustering.clusters.size() + chip.crossbarsPerTile - 1) / chip.crossbarsPerTile;
  return double(clustering.steps) * double(chip.barrierCycles(tiles));
}

} // namespace spindle
