#include "core/chip/work/CrossbarWork.h"

#include <map>

namespace spindle {

CrossbarWork &CrossbarWork::operator+=(const CrossbarWork &more) {
  columnUpdates += more.columnUpdates;
  rowReads += more.rowReads;
  cells += more.cells;
  partialSums += more.partialSums;
  return *this;
}

CrossbarWork &CrossbarWork::operator-=(const CrossbarWork &less) {
  columnUpdates -= less.columnUpdates;
  rowReads -= less.rowReads;
  cells -= less.cells;
  partialSums -= less.partialSums;
  return *this;
}

std::vector<CrossbarWork> workOf(const Clustering &clustering) {
  std::vector<CrossbarWork> works;
  double steps = double(clustering.samples) * clustering.steps;
  for (const Cluster &cluster : clustering.clusters) {
    CrossbarWork &work = works.emplace_back();
    work.columnUpdates = steps * cluster.units;
    for (const Axon &axon : cluster.axons) {
      work.rowReads += double(axon.spikes);
      work.cells += SynapsesByKind<double>(axon.synapses).times(double(axon.spikes));
    }
  }
  for (const ClusterLink &link : clustering.links)
    works[link.to].partialSums += double(link.partialSums);
  return works;
}

std::vector<SumPacket> sumPackets(const Clustering &clustering, const std::vector<bool> &heard,
                                  llvm::function_ref<bool(const Unit &)> works) {
  std::vector<bool> carriedTo(clustering.units.size());
  std::vector<SumPacket> packets;
  std::map<std::pair<ClusterId, ClusterId>, SumPacket> vectors;
  for (UnitId u = 0; u < clustering.units.size(); ++u) {
    const Unit &unit = clustering.units[u];
    if (unit.carryTo == kNone || (!heard[unit.cluster] && !carriedTo[u]) || !works(unit))
      continue;
    carriedTo[unit.carryTo] = true;
    ClusterId to = clustering.units[unit.carryTo].cluster;
    if (to == unit.cluster)
      continue; // stays in the crossbar
    if (clustering.sums != PartialSums::Vector) {
      packets.push_back({u, 1});
      continue;
    }
    SumPacket &vector = vectors[{unit.cluster, to}];
    vector.last = u;
    ++vector.sums;
  }
  for (const auto &[ends, vector] : vectors)
    packets.push_back(vector);
  return packets;
}

double barrierCyclesPerSample(const Chip &chip, const Clustering &clustering) {
  if (chip.synchronisation != Synchronisation::Barrier)
    return 0;
  uint64_t tiles = (clustering.clusters.size() + chip.crossbarsPerTile - 1) / chip.crossbarsPerTile;
  return double(clustering.steps) * double(chip.barrierCycles(tiles));
}

} // namespace spindle
