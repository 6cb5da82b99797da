#include "core/chip/work/ColumnOrder.h"

#include <algorithm>
#include <numeric>

namespace spindle {

/// Packets, at most, that each unit makes for other crossbars, or that wait for it in its own: what
/// it carries to is not done before it.
static std::vector<uint64_t> packetsOfUnits(const Clustering &clustering) {
  std::vector<ClusterId> home(clustering.neurons, kNone);
  for (const Unit &unit : clustering.units)
    if (unit.carryTo == kNone)
      home[unit.neuron] = unit.cluster;
  std::vector<uint64_t> ofNeuron(clustering.neurons);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    for (const Axon &axon : clustering.clusters[c].axons)
      ofNeuron[axon.neuron] += home[axon.neuron] == c ? 0 : axon.spikes;
  uint64_t steps = uint64_t(clustering.samples) * clustering.steps;
  std::vector<uint64_t> packets(clustering.units.size());
  for (UnitId u = UnitId(packets.size()); u-- > 0;) { // behind what it carries to
    const Unit &unit = clustering.units[u];
    bool isLast = unit.carryTo == kNone;
    bool isInside = !isLast && clustering.units[unit.carryTo].cluster == unit.cluster;
    packets[u] = isLast ? ofNeuron[unit.neuron] : isInside ? packets[unit.carryTo] : steps;
  }
  return packets;
}

std::vector<UnitId> columnOrder(const Clustering &clustering) {
  std::vector<UnitId> order(clustering.units.size());
  std::iota(order.begin(), order.end(), 0);
  if (clustering.order == ColumnOrder::Neurons)
    return order;
  std::vector<uint64_t> packets = packetsOfUnits(clustering);
  std::ranges::stable_sort(order, [&](UnitId a, UnitId b) { return packets[a] > packets[b]; });
  return order;
}

} // namespace spindle
