#include "sim/model/tile/ColumnUpdates.h"

#include "core/chip/work/ColumnOrder.h"

#include <algorithm>

namespace spindle {

ColumnUpdates::ColumnUpdates(const Clustering &network, const Chip &target,
                             const SlotSchedule &slots, const SpikingGraph *graph,
                             std::vector<uint32_t> packets, const std::vector<bool> &isLeftOut)
    : clustering(network), schedule(slots), countsAccesses(target.countsAccesses()),
      isSteady(!countsAccesses && target.latency.neuronSpikeCycles.value == 0 &&
               target.latency.axonOutCycles.value == 0),
      accessCycles(static_cast<uint64_t>(target.latency.neuronAccessCycles.value)),
      updateCycles(static_cast<uint64_t>(target.latency.neuronUpdateCycles.value)),
      spikeCycles(static_cast<uint64_t>(target.latency.neuronSpikeCycles.value)),
      packetCycles(static_cast<uint64_t>(target.latency.axonOutCycles.value)),
      packetsOf(std::move(packets)), columns(network.clusters.size()), isActive(network.neurons),
      spikesNow(network.neurons), isRestless(network.neurons), done(network.units.size()),
      updates(network.neurons) {
  packetsOf.resize(network.neurons);
  for (UnitId u : columnOrder(network)) {
    const Unit &unit = network.units[u];
    if (!isLeftOut[unit.cluster])
      columns[unit.cluster].push_back(u);
    if (unit.carryTo == kNone)
      membranes.push_back(unit.neuron);
  }
  if (!countsAccesses || !graph)
    return;
  isRestless = restlessNeurons(*graph);
  reach = SpikeReach(*graph);
}

void ColumnUpdates::begin(uint64_t slot, llvm::ArrayRef<NeuronId> spikes) {
  for (NeuronId neuron : spikes)
    spikesNow[neuron] = true;
  if (countsAccesses)
    wake(slot, spikes);
  workColumns();
  if (countsAccesses)
    send(slot, spikes);
  for (NeuronId neuron : spikes)
    spikesNow[neuron] = false;
}

/// What came in the slot before; samples begin at rest.
void ColumnUpdates::wake(uint64_t slot, llvm::ArrayRef<NeuronId> spikes) {
  for (NeuronId neuron : membranes)
    if (auto turn = schedule.turnOf(neuron, slot); turn && turn->step == 0)
      isActive[neuron] = false;
  for (Arrival arrival : arrived)
    reach.visitMembers(arrival.list, [&](NeuronId neuron) {
      if (auto turn = schedule.turnOf(neuron, slot); turn && turn->sample == arrival.sample)
        isActive[neuron] = true;
    });
  for (NeuronId neuron : spikes)
    isActive[neuron] = true;
  for (NeuronId neuron : membranes)
    updates[neuron] += isActive[neuron] && schedule.turnOf(neuron, slot);
}

void ColumnUpdates::workColumns() {
  if (isSteady && longest > 0)
    return;
  longest = 0;
  for (const std::vector<UnitId> &units : columns) {
    uint64_t cycle = 0;
    for (UnitId u : units) {
      const Unit &unit = clustering.units[u];
      cycle += accessCycles + (!countsAccesses || isActive[unit.neuron] ? updateCycles : 0);
      bool isSpike = unit.carryTo == kNone && spikesNow[unit.neuron];
      cycle += isSpike ? spikeCycles : 0;
      done[u] = cycle;
      cycle += isSpike ? packetCycles * packetsOf[unit.neuron] : 0;
    }
    longest = std::max(longest, cycle);
  }
}

void ColumnUpdates::send(uint64_t slot, llvm::ArrayRef<NeuronId> spikes) {
  arrived.clear();
  for (NeuronId neuron : spikes) {
    isActive[neuron] = isRestless[neuron];
    uint32_t sample = schedule.turnOf(neuron, slot)->sample;
    for (uint32_t list : reach.listsOf(neuron))
      arrived.push_back({list, sample});
  }
  // Several spikes reach a list together, and many lists have many members.
  std::ranges::sort(arrived);
  arrived.erase(std::unique(arrived.begin(), arrived.end()), arrived.end());
}

} // namespace spindle
