#include "sim/model/SpikeFanOut.h"

#include "core/chip/work/ColumnOrder.h"

#include <algorithm>
#include <tuple>

namespace spindle {

SpikeFanOut::SpikeFanOut(const Clustering &clustering, const Mapping &mapping)
    : spikingUnits(clustering.neurons, kNone), homes(clustering.neurons, kNone),
      carryStops(clustering.units.size()) {
  for (const Placement &placement : mapping.placements)
    tiles.push_back(placement.tile);
  for (TileId tile = 0; tile < mapping.mesh.tiles(); ++tile)
    hostTiles.push_back(mapping.mesh.hostTileFor(tile));

  std::vector<uint32_t> columnsUsed(clustering.clusters.size(), 0);
  columns.resize(clustering.units.size());
  for (UnitId u : columnOrder(clustering))
    columns[u] = columnsUsed[clustering.units[u].cluster]++;
  for (UnitId u = 0; u < clustering.units.size(); ++u) {
    const Unit &unit = clustering.units[u];
    if (unit.carryTo == kNone) {
      spikingUnits[unit.neuron] = u;
      homes[unit.neuron] = unit.cluster;
      continue;
    }
    ClusterId next = clustering.units[unit.carryTo].cluster;
    carryStops[u] = {tiles[next], next, 0};
  }

  // Axons are stored per cluster; turn them round to stops per neuron.
  offsets.assign(clustering.neurons + 1, 0);
  for (const Cluster &cluster : clustering.clusters)
    for (const Axon &axon : cluster.axons)
      ++offsets[axon.neuron + 1];
  for (NeuronId n = 0; n < clustering.neurons; ++n)
    offsets[n + 1] += offsets[n];
  spikeStops.resize(offsets.back());
  std::vector<size_t> next(offsets.begin(), offsets.end() - 1);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    for (const Axon &axon : clustering.clusters[c].axons)
      spikeStops[next[axon.neuron]++] = {tiles[c], c, axon.synapses};
  for (NeuronId n = 0; n < clustering.neurons; ++n)
    std::sort(spikeStops.begin() + offsets[n], spikeStops.begin() + offsets[n + 1],
              [](const Stop &a, const Stop &b) {
                return std::tie(a.tile, a.cluster) < std::tie(b.tile, b.cluster);
              });
}

std::vector<TileId> SpikeFanOut::usedTiles() const {
  std::vector<TileId> used = tiles;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

} // namespace spindle
